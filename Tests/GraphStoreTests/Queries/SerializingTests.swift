import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct SerializingTests {
  private let text = """
    {"id":"1","name":"Rovers","place":{"name":"Hall","city":null},
     "captain":{"id":"a","name":"Ann","club":{"id":"1"}},
     "persons":[{"id":"a","name":"Ann","age":7},{"id":"b","name":"Bea"}]}
    """

  private func filled(_ kind: StoreKind) async throws -> Graph.Store {
    let store = try kind.make()
    try await store.write(json: Array(text.utf8), as: Sample.Club.self)
    return store
  }

  @Test(arguments: StoreKind.allCases)
  func relatedObjectsAreSerializedAsKeys(kind: StoreKind) async throws {
    let json = try await filled(kind).json(of: Sample.Club.self, key: "1")
    #expect(
      json == [
        "id": "1", "name": "Rovers", "place": ["name": "Hall", "city": nil], "captain": ["id": "a"],
        "persons": [["id": "a"], ["id": "b"]],
      ])
    #expect(try await filled(kind).json(of: Sample.Club.self, key: "2") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func nestedRelationsStopAtCycles(kind: StoreKind) async throws {
    let store = try await filled(kind)
    let json = try store.json(of: Sample.Club.self, key: "1", relations: .nested(depth: 9))
    let ann: JSON = ["id": "a", "name": "Ann", "club": ["id": "1"], "age": 7]
    #expect(json?["captain"] == ann)
    #expect(json?["persons"] == [ann, ["id": "b", "name": "Bea"]])
  }

  @Test func anotherStoreReadsTheSerializedJSON() async throws {
    let store = try await filled(.memory)
    let json = try #require(
      try store.json(of: Sample.Club.self, key: "1", relations: .nested(depth: 9)))
    let other = try StoreKind.memory.make()
    try await other.write(json: Array(json.description.utf8), as: Sample.Club.self)
    for key in ["Club:1", "Person:a", "Person:b"] {
      #expect(try other.text(key)?.count == store.text(key)?.count)
    }
    #expect(try other.object(Sample.Club.self, key: "1")?.captain?.club?.name == "Rovers")
  }

  @Test(arguments: StoreKind.allCases)
  func serializesOnlyChangedFields(kind: StoreKind) async throws {
    let store = try await filled(kind)
    let mark = try #require(try store.object(Sample.Club.self, key: "1"))
    #expect(try store.changes(of: Sample.Club.self, key: "1", since: mark) == nil)
    try await store.write(
      json: Array(#"{"id":"1","name":"United","captain":{"id":"b"},"motto":"Up"}"#.utf8),
      as: Sample.Club.self)
    #expect(
      try store.changes(of: Sample.Club.self, key: "1", since: mark)
        == ["id": "1", "name": "United", "captain": ["id": "b"], "motto": "Up"])
    // A change of a related object is not a change of this object.
    try await store.write(
      json: Array(#"{"id":"1","name":"Rovers","captain":{"id":"a","name":"Cyd"}}"#.utf8),
      as: Sample.Club.self)
    #expect(
      try store.changes(of: Sample.Club.self, key: "1", since: mark) == ["id": "1", "motto": "Up"])
  }

  @Test func comparesChangesWithAnObjectOfAResponse() async throws {
    let store = try await filled(.memory)
    let query = Sample.buildQuery {
      $0
        .club(id: "1") {
          $0.id().name().place { $0.name().city() }.captain { $0.id().name() }
            .persons { $0.id().name() }
        }
    }
    let response = try query.operation().response(from: Array("{\"data\":{\"club\":\(text)}}".utf8))
    let mark = try #require(response.data?.club)
    #expect(try store.changes(of: Sample.Club.self, key: "1", since: mark) == nil)
    try await store.write(
      json: Array(#"{"id":"1","place":{"city":"Oslo"}}"#.utf8), as: Sample.Club.self)
    #expect(
      try store.changes(of: Sample.Club.self, key: "1", since: mark)
        == ["id": "1", "place": ["name": "Hall", "city": "Oslo"]])
  }

  @Test func omitsFieldsWithArguments() async throws {
    let store = try StoreKind.memory.make()
    try await store.write(
      Sample.buildQuery { $0.club(id: "1") { $0.id().logo(size: 9) { $0.url() } } },
      #"{"club":{"id":"1","logo":{"url":"https://a.b/c"}}}"#)
    #expect(try store.json(of: Sample.Club.self, key: "1") == ["id": "1"])
  }
}
