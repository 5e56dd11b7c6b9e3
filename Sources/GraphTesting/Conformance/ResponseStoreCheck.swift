import GraphQLRuntime

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
