import GraphCompatibility
import GraphQLRuntime
import GraphStore
import TestSupport
import Testing

/// Through the protocol, since that is how programs use it. `StoreWritingTests` of GraphStore tests
/// the transactions themselves.
@Suite(.timeLimit(.minutes(5)))
struct StorageManagerTests {
  private struct Stop: Error {}

  private func write(_ json: String, to manager: some StorageManager) async throws -> Int {
    try await manager.performAndSave { transaction in
      try transaction.write(json: Array(json.utf8), as: Sample.Person.self)
      return try transaction.count(of: Sample.Person.self)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func performAndSaveReturnsValue(kind: StoreKind) async throws {
    let store = try kind.make()
    let view = store.viewStorage
    let count = try await store.performAndSave { storage in
      try storage.write(json: Array(#"[{"id":"1"},{"id":"2"}]"#.utf8), as: Sample.Person.self)
      // Others do not see it yet.
      #expect(try view.count(of: Sample.Person.self) == 0)
      return try storage.count(of: Sample.Person.self)
    }
    #expect(count == 2)
    #expect(try view.count(of: Sample.Person.self) == 2)
    #expect(try await write(#"{"id":"3"}"#, to: store) == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func thrownErrorRollsBackTransaction(kind: StoreKind) async throws {
    let store = try kind.make()
    _ = try await write(#"{"id":"1","name":"Ann"}"#, to: store)
    await #expect(throws: Stop.self) {
      try await store.performAndSave { storage in
        try storage.write(
          json: Array(#"[{"id":"1","name":"Bea"},{"id":"2"}]"#.utf8), as: Sample.Person.self)
        throw Stop()
      }
    }
    #expect(try store.viewStorage.object(Sample.Person.self, id: "1")?.name == "Ann")
    #expect(try store.counts() == ["Person": 1])
  }

  @Test(arguments: StoreKind.allCases)
  func serializesConcurrentTransactions(kind: StoreKind) async throws {
    let store = try kind.make()
    _ = try await write(#"{"id":"1","age":0}"#, to: store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await store.performAndSave { storage in
            let age = try storage.object(Sample.Person.self, id: "1")?.age ?? 0
            try storage.write(
              json: Array(#"{"id":"1","age":\#(age + 1)}"#.utf8), as: Sample.Person.self)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.viewStorage.object(Sample.Person.self, id: "1")?.age == 100)
  }

  /// A view reads the file, and does not need the store.
  @Test(arguments: StoreKind.allCases)
  func viewIsReadableAfterStoreIsReleased(kind: StoreKind) async throws {
    var store: Graph.Store? = try kind.make()
    _ = try await write(#"{"id":"1","name":"Ann"}"#, to: try #require(store))
    let view = try #require(store).viewStorage
    weak let released = store
    store = nil
    // The writer's thread may still have a reference for a moment.
    try await wait { released == nil }
    #expect(try view.object(Sample.Person.self, id: "1")?.name == "Ann")
  }

  @Test(arguments: StoreKind.allCases)
  func resetDeletesAllObjectsAndNotifiesObservers(kind: StoreKind) async throws {
    let store = try kind.make()
    _ = try await write(#"[{"id":"1","club":{"id":"c","name":"Rooks"}},{"id":"2"}]"#, to: store)
    try await store.write(
      json: Array(#"{"id":"k","lines":[{"id":"l","quantity":1}]}"#.utf8), as: Sample.Checkout.self)
    var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
    _ = try await states.next()
    try await store.reset()
    #expect(try store.counts() == [:])
    #expect(try #require(try await states.next()) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aResetRefusesLateResponses(kind: StoreKind) async throws {
    let store = try kind.make()
    let operation = try Sample.buildQuery { $0.person(id: "1") { $0.id().name() } }.operation()
    let response = try operation.response(
      from: Array(#"{"data":{"person":{"id":"1","name":"a"}}}"#.utf8))
    let generation = store.generation
    try await store.reset()
    await #expect(throws: GraphQL.StaleGeneration.self) {
      try await store.write(response, of: operation, in: generation)
    }
    #expect(try store.counts() == [:])
  }
}
