import GraphQLRuntime
import Testing

@testable import GraphStore

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
  func keepsObjects(kind: StoreKind) async throws {
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
  func purges(kind: StoreKind) async throws {
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
}
