import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct PlainModelTests {
  private struct Member: Codable, Equatable {
    let id: String
    var name: String?
    var age: Int?
  }

  private struct Team: Codable, Equatable {
    let id: String
    var title: String
    var persons: [Member]

    enum CodingKeys: String, CodingKey {
      case id, persons
      case title = "name"
    }
  }

  private let team = Team(
    id: "c", title: "Rooks",
    persons: [Member(id: "1", name: "Ann", age: 7), Member(id: "2", name: "Bea")])

  @Test(arguments: StoreKind.allCases)
  func modelsRoundTripThroughTheStore(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(model: team, as: Sample.Club.self)
    #expect(try store.object(Sample.Club.self, id: "c")?.persons.map(\.name) == ["Ann", "Bea"])
    let whole = try store.model(
      Team.self, of: Sample.Club.self, key: "c", relations: .nested(depth: 1))
    #expect(whole == team)
    #expect(try store.model(Team.self, of: Sample.Club.self, key: "d") == nil)
    // An edit of a value changes the object.
    var ann = try #require(try store.model(Member.self, of: Sample.Person.self, key: "1"))
    ann.age = 8
    let changed = ann
    let record = try await store.write {
      try $0.write(model: [changed], as: Sample.Person.self)
    }
    #expect(record.updated.map(\.description) == ["Person:1"])
    #expect(try store.object(Sample.Person.self, id: "1")?.age == 8)
  }

  @Test(arguments: StoreKind.allCases)
  func decodingFailsIfFieldsAreNotStored(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(json: Array(#"{"id":"c"}"#.utf8), as: Sample.Club.self)
    #expect(throws: DecodingError.self) {
      try store.model(Team.self, of: Sample.Club.self, key: "c")
    }
    #expect(throws: Graph.StoreError.self) {
      try store.model(Member.self, of: Sample.UnknownNode.self, key: "1")
    }
    await #expect(throws: Graph.StoreError.self) {
      try await store.write(model: ["age": "seven", "id": "1"], as: Sample.Person.self)
    }
    #expect(try store.counts() == ["Club": 1])
  }
}
