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
