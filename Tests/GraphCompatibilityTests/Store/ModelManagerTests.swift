import GraphCompatibility
import GraphQLRuntime
import GraphStore
import Testing

/// The requirements for every model manager that keeps objects, tested through the protocol only.
@Suite struct ModelManagerTests {
  private let query = Sample.buildQuery { $0.person(id: "1") { $0.id().name().age() } }

  private func response(
    _ data: String
  ) throws -> (GraphQL.Response<Sample.Query>, GraphQL.Operation<Sample.Query>) {
    let operation = try query.operation()
    return (try operation.response(from: Array("{\"data\":\(data)}".utf8)), operation)
  }

  @Test(arguments: StoreKind.allCases)
  func storesAndReturnsObjects(kind: StoreKind) async throws {
    let manager: any GraphQL.ModelManager = try kind.make()
    let (response, operation) = try response(#"{"person":{"id":"1","name":"Ann","age":7}}"#)
    #expect(try await manager.response(to: operation, maximumAge: nil) == nil)
    try await manager.store(response, of: operation, in: nil)
    let stored = try await manager.response(to: operation, maximumAge: nil)
    #expect(stored?.data.person?.name == "Ann")
    let old = try #require(try await manager.object(Sample.Person.self, key: "1"))
    try await manager.write(json: Array(#"{"id":"1","name":"Bea"}"#.utf8), as: Sample.Person.self)
    #expect(old.name == "Ann")
    #expect(try await manager.refresh(old)?.name == "Bea")
    #expect(try await manager.refresh(try #require(response.data?.person))?.age == 7)
    #expect(
      try await manager.objects(Sample.Person.self, keys: ["2", "1"]).map { $0?.name }
        == [nil, "Bea"])
  }

  @Test(arguments: StoreKind.allCases)
  func purgesObjects(kind: StoreKind) async throws {
    let manager: any GraphQL.ModelManager = try kind.make()
    try await manager.write(
      json: Array(#"[{"id":"1","age":1},{"id":"2","age":2},{"id":"3","age":3}]"#.utf8),
      as: Sample.Person.self)
    let old = try #require(try await manager.object(Sample.Person.self, key: "1"))
    try await manager.purge(Sample.Person.self, key: "1")
    #expect(try await manager.refresh(old) == nil)
    try await manager.purge(Sample.Person.self) { ($0.age ?? 0) > 2 }
    #expect(
      try await manager.objects(Sample.Person.self, keys: ["1", "2", "3"]).map { $0?.age }
        == [nil, 2, nil])
  }

  @Test(arguments: StoreKind.allCases)
  func refreshesObjectsCreatedOutsideStore(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(json: Array(#"{"id":"1","name":"Ann"}"#.utf8), as: Sample.Person.self)
    #expect(
      try store.refresh(Sample.Person(fields: ["id": "1", "name": "Not Ann"]))?.name == "Ann")
    #expect(try store.refresh(Sample.Person(fields: ["id": "9"])) == nil)
    // Without its key.
    #expect(try store.refresh(Sample.Person(fields: ["name": "Nobody"])) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aWriteReturnsItsKeys(kind: StoreKind) async throws {
    func write<Manager: GraphQL.ModelManager>(to manager: Manager) async throws
      -> Manager.WriteResult
    {
      try await manager.write(json: Array(#"[{"id":"1"},{"id":"2"}]"#.utf8), as: Sample.Person.self)
    }
    let record = try await write(to: try kind.make())
    #expect(record.roots.map(\.description) == ["Person:1", "Person:2"])
  }

  @MainActor @Test(arguments: StoreKind.allCases)
  func aWriteCallsItsCompletionOnTheMainQueue(kind: StoreKind) async throws {
    let store = try kind.make()
    func write(_ json: String) async -> Result<Graph.WriteSummary, any Error> {
      await withCheckedContinuation { continuation in
        store.write(json: Array(json.utf8), as: Sample.Person.self) {
          MainActor.assertIsolated()
          continuation.resume(returning: $0)
        }
      }
    }
    #expect(try await write(#"{"id":"1","name":"Ann"}"#).get().roots.map(\.key) == ["1"])
    #expect(try store.object(Sample.Person.self, key: "1")?.name == "Ann")
    await #expect(throws: Graph.StoreError.self) { try await write("{").get() }
  }
}
