import GraphJSON
public import GraphQLRuntime

/// The requirements for every store of responses, as checks to run.
///
/// ```swift
/// let suite = ResponseStoreConformance(responseSample) {
///   Graph.Store(inMemory: Storefront.schema)
/// } logout: {
///   try await $0.logout()
/// }
/// for outcome in await suite.run() where outcome.failure != nil { print(outcome) }
/// ```
///
/// The checks use only the protocol, with queries of a schema that the store supports.
public struct ResponseStoreConformance<
  Store: GraphQL.ResponseStore, Root: GraphQL.ResponseRoot
>: Sendable {
  /// The result of one check.
  public typealias Outcome = TransportConformance.Outcome

  let sample: ResponseStoreSample<Root>
  package let makeStore: @Sendable () async throws -> Store
  let logout: @Sendable (Store) async throws -> Void
  private let patience: Duration

  /// - Parameters:
  ///   - sample: queries to check with.
  ///   - patience: the maximum duration of a check.
  ///   - makeStore: creates an empty store; called for each check.
  ///   - logout: logs out the store's user.
  public init(
    _ sample: ResponseStoreSample<Root>, patience: Duration = .seconds(20),
    store makeStore: @escaping @Sendable () async throws -> Store,
    logout: @escaping @Sendable (Store) async throws -> Void
  ) {
    self.sample = sample
    self.makeStore = makeStore
    self.logout = logout
    self.patience = patience
  }

  /// Runs all checks, one after the other.
  public func run() async -> [Outcome] {
    var outcomes: [Outcome] = []
    for check in ResponseStoreCheck<Store, Root>.all {
      outcomes.append(
        await Outcome.of(check.name, patience: patience) { [self] in
          try await check.body(self, try await makeStore())
        })
    }
    return outcomes
  }
}

/// Queries for an object of one type, which has a key and two text fields, the second of which is
/// nullable.
public struct ResponseStoreSample<Root: GraphQL.ResponseRoot>: Sendable {
  /// The fields that a query selects on the object in addition to its key.
  public enum Selection: Sendable, Hashable {
    /// The first field.
    case first
    /// Both fields.
    case both
  }

  let operation: @Sendable (String, Selection) throws -> GraphQL.Operation<Root>
  let data: @Sendable (String) -> String
  let names: (key: String, first: String, second: String)
  let path: String

  /// - Parameters:
  ///   - operation: a query for the object with a key, which selects the key and the given fields.
  ///   - names: the fields' names.
  ///   - path: the response path of the object, such as `shop.product`.
  ///   - data: the JSON of the response's `data` with the JSON of the object.
  public init(
    operation: @escaping @Sendable (String, Selection) throws -> GraphQL.Operation<Root>,
    names: (key: String, first: String, second: String), path: String,
    data: @escaping @Sendable (String) -> String
  ) {
    self.operation = operation
    self.names = names
    self.path = path
    self.data = data
  }
}

extension ResponseStoreSample {
  /// The JSON of the object; nil leaves a field out.
  package func object(_ key: String, _ first: String?, _ second: String?) -> String {
    var members = [(names.key, key)]
    if let first { members.append((names.first, first)) }
    if let second { members.append((names.second, second)) }
    return "{" + members.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
  }

  package func response(
    _ key: String, _ first: String, _ second: String?
  ) throws -> (response: GraphQL.Response<Root>, operation: GraphQL.Operation<Root>) {
    let operation = try operation(key, second == nil ? .first : .both)
    let bytes = Array("{\"data\":\(data(object(key, first, second)))}".utf8)
    return (try operation.response(from: bytes), operation)
  }

  /// A response in which an error made the second field null.
  package func erroredResponse(
    _ key: String, _ first: String
  ) throws -> (response: GraphQL.Response<Root>, operation: GraphQL.Operation<Root>) {
    let operation = try operation(key, .both)
    let object = """
      {"\(names.key)":"\(key)","\(names.first)":"\(first)","\(names.second)":null}
      """
    let steps = (path.split(separator: ".") + [names.second[...]]).map { "\"\($0)\"" }
    let bytes = Array(
      """
      {"data":\(data(object)),
       "errors":[{"message":"the server is busy","path":[\(steps.joined(separator: ","))]}]}
      """.utf8)
    return (try operation.response(from: bytes), operation)
  }

  /// The values of the two fields of the object in a response; nil for null.
  func values(in data: Root) -> (first: String?, second: String?) {
    let (json, index) = data._stored
    var object: JSONNode? = JSONNode(document: json, index: index)
    for step in path.split(separator: ".") { object = object?[String(step)] }
    return (object?[names.first]?.string, object?[names.second]?.string)
  }
}

/// One requirement for stores of responses, and how it is checked.
struct ResponseStoreCheck<Store: GraphQL.ResponseStore, Root: GraphQL.ResponseRoot>: Sendable {
  typealias Suite = ResponseStoreConformance<Store, Root>

  let name: String
  let body: @Sendable (Suite, Store) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (Suite, Store) async throws -> Void) {
    self.name = name
    self.body = body
  }

  static var all: [ResponseStoreCheck] { reading + writing }

  private static var reading: [ResponseStoreCheck] {
    [
      ResponseStoreCheck("a query returns a response if no field is missing") { suite, store in
        let operation = try suite.sample.operation("1", .both)
        try await require(
          try await store.response(to: operation, maximumAge: nil) == nil,
          "a response was returned before the first write")
        try await suite.store("1", "a", "b", in: store)
        try await suite.expect("1", "a", "b", in: store)
        let other = try suite.sample.operation("2", .both)
        try await require(
          try await store.response(to: other, maximumAge: nil) == nil,
          "a response was returned for other arguments")
      },
      ResponseStoreCheck("a query returns no response if a field is missing") { suite, store in
        try await suite.store("1", "a", nil, in: store)
        let operation = try suite.sample.operation("1", .both)
        try await require(
          try await store.response(to: operation, maximumAge: nil) == nil, "a response was returned"
        )
      },
      ResponseStoreCheck("a response that is too old is not returned") { suite, store in
        let operation = try await suite.store("1", "a", "b", in: store)
        let new = try await store.response(to: operation, maximumAge: .seconds(3600))
        try await require(new != nil, "no response was returned for a maximum age of one hour")
        let none = try await store.response(to: operation, maximumAge: .zero)
        try await require(none == nil, "a response was returned for a maximum age of zero")
      },
      ResponseStoreCheck("a returned response does not change") { suite, store in
        let operation = try await suite.store("1", "a", "b", in: store)
        let read = try await store.response(to: operation, maximumAge: nil)
        try await suite.store("1", "c", "d", in: store)
        let values = read.map { suite.sample.values(in: $0.data) }
        try await require(values?.first == "a" && values?.second == "b", "it has changed")
      },
    ]
  }

  private static var writing: [ResponseStoreCheck] {
    [
      ResponseStoreCheck("a query returns the values of the last response") { suite, store in
        try await suite.store("1", "a", "b", in: store)
        try await suite.store("2", "e", "f", in: store)
        try await suite.store("1", "c", "d", in: store)
        try await suite.expect("1", "c", "d", in: store)
        try await suite.expect("2", "e", "f", in: store)
      },
      ResponseStoreCheck("null is returned with the error that caused it") { suite, store in
        let (response, operation) = try suite.sample.erroredResponse("1", "a")
        try await store.store(response, of: operation, in: nil)
        let stored = try await store.response(to: operation, maximumAge: nil)
        try await require(
          stored.map { $0.errors.map(\.message) == ["the server is busy"] } ?? true,
          "the error is missing")
      },
      ResponseStoreCheck("concurrent writes store one of their responses") { suite, store in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<8 {
            group.addTask { try await suite.store("1", "\(number)", "\(number)", in: store) }
          }
          try await group.waitForAll()
        }
        let values = try await suite.values("1", in: store)
        try await require(
          values?.first != nil && values?.first == values?.second, "the values are mixed")
      },
      ResponseStoreCheck("a response of a user who has logged out is refused") { suite, store in
        let generation = store.generation
        try await suite.logout(store)
        let (response, operation) = try suite.sample.response("1", "a", "b")
        do {
          try await store.store(response, of: operation, in: generation)
        } catch is GraphQL.StaleGeneration {
          try await require(
            try await store.response(to: operation, maximumAge: nil) == nil, "it was stored")
          try await store.store(response, of: operation, in: store.generation)
          return try await suite.expect("1", "a", "b", in: store)
        }
        throw ConformanceFailure("it was not refused with StaleGeneration")
      },
    ]
  }
}

/// - Throws: ``ConformanceFailure`` if the condition is false.
package func require(
  _ condition: @autoclosure () async throws -> Bool, _ failure: @autoclosure () -> String
) async throws {
  if try await !condition() { throw ConformanceFailure(failure()) }
}

extension ResponseStoreConformance {
  /// Stores a response with the object, and returns its operation.
  @discardableResult
  func store(
    _ key: String, _ first: String, _ second: String?, in store: Store
  ) async throws -> GraphQL.Operation<Root> {
    let (response, operation) = try sample.response(key, first, second)
    try await store.store(response, of: operation, in: nil)
    return operation
  }

  /// The values in the response to the query for both fields; nil if there is none.
  func values(_ key: String, in store: Store) async throws -> (first: String?, second: String?)? {
    try await store.response(to: try sample.operation(key, .both), maximumAge: nil)
      .map { sample.values(in: $0.data) }
  }

  func expect(
    _ key: String, _ first: String, _ second: String, in store: Store
  ) async throws {
    guard let values = try await values(key, in: store) else {
      throw ConformanceFailure("no response with the object \(key) was returned")
    }
    guard values.first == first, values.second == second else {
      throw ConformanceFailure(
        "object \(key) has \(values.first ?? "nothing") and \(values.second ?? "nothing")")
    }
  }
}
