import Foundation
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct JSONWritingTests {
  private func write(
    _ store: Graph.Store, _ json: String, as type: GraphQL.AbstractResponse.Type,
    mode: Graph.JSONWriteMode = .upsert, mapping: Graph.JSONMapping = Graph.JSONMapping()
  ) async throws -> Graph.WriteSummary {
    try await store.write(json: Array(json.utf8), as: type, mode: mode, mapping: mapping)
  }

  @Test(arguments: StoreKind.allCases)
  func takesOneObjectOrAList(kind: StoreKind) async throws {
    let store = try kind.make()
    let one = try await write(store, #"{"id":"p1","name":"Ann","age":7}"#, as: Sample.Person.self)
    #expect(one.inserted.map(\.description) == ["Person:p1"])
    let list = try await write(
      store, #"[{"id":"p2","name":"Bea"},{"id":"p1","age":8},{"id":"p2","name":"Bea"}]"#,
      as: Sample.Person.self)
    #expect(list.inserted.map(\.description) == ["Person:p2"])
    #expect(list.updated.map(\.description) == ["Person:p1"])
    #expect(list.roots.map(\.key) == ["p2", "p1", "p2"])
    let ann = try #require(try store.object(Sample.Person.self, id: "p1"))
    #expect(ann.name == "Ann" && ann.age == 8)
  }

  /// Some of the stored fields are written into the stored text; the others stay.
  @Test(arguments: StoreKind.allCases)
  func mergesSomeFieldsIntoTheStoredRecord(kind: StoreKind) async throws {
    let store = try kind.make()
    _ = try await write(
      store, #"{"id":"1","name":"A, \"B\"}","age":7,"active":true,"nicknames":["x","],"]}"#,
      as: Sample.Person.self)
    let first = try store.text("Person:1")
    let same = try await write(
      store, #"{"id":"1","age":7,"nicknames":["x","],"]}"#, as: Sample.Person.self)
    #expect(same.unchanged.count == 1)
    #expect(try store.text("Person:1") == first)
    _ = try await write(store, #"{"id":"1","age":8,"nicknames":[]}"#, as: Sample.Person.self)
    #expect(
      try store.text("Person:1")
        == #"{"__typename":"Person","id":"1","name":"A, \"B\"}","age":8,"active":true,"nicknames":[]}"#
    )
    // In another order, and with a new field.
    _ = try await write(store, #"{"score":2,"age":9,"id":"1"}"#, as: Sample.Person.self)
    #expect(
      try store.text("Person:1")
        == #"{"__typename":"Person","id":"1","name":"A, \"B\"}","age":9,"active":true,"nicknames":[],"score":2}"#
    )
  }

  /// Also if the fields have another order than in the schema, and other names in the JSON.
  @Test(arguments: StoreKind.allCases)
  func theLastOfRepeatedKeysWins(kind: StoreKind) async throws {
    let store = try kind.make()
    var mapping = Graph.JSONMapping()
    mapping.keys["Person"] = ["years": "age"]
    for (json, age) in [
      (#"{"id":"1","age":1,"age":2}"#, 2), (#"{"age":3,"id":"1","age":4,"name":"a"}"#, 4),
      (#"{"id":"1","age":5,"unknown":0,"age":6}"#, 6), (#"{"id":"1","age":7,"years":8}"#, 8),
    ] {
      _ = try await write(store, json, as: Sample.Person.self, mapping: mapping)
      #expect(try store.object(Sample.Person.self, id: "1")?.age == age, "\(json)")
      _ = try await write(
        store, json.replacing("years", with: "age"), as: Sample.Person.self)
      #expect(try store.object(Sample.Person.self, id: "1")?.age == age, "\(json)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func mapsRelations(kind: StoreKind) async throws {
    let store = try kind.make()
    _ = try await write(
      store,
      #"""
      {"id":"c1","name":"Rooks","captain":{"id":"p1","name":"Ann"},
      "persons":[{"id":"p1"},{"id":"p2","name":"Bea"}],"place":{"city":"Bern"}}
      """#, as: Sample.Club.self)
    let club = try #require(try store.object(Sample.Club.self, id: "c1"))
    #expect(club.captain?.name == "Ann" && club.place?.city == "Bern")
    #expect(club.persons.map(\.name) == ["Ann", "Bea"])
  }

  @Test(arguments: StoreKind.allCases)
  func replacesOrAppendsLists(kind: StoreKind) async throws {
    let store = try kind.make()
    func persons() throws -> [String] {
      try #require(try store.object(Sample.Club.self, id: "c1")).persons.map(\.id.rawValue)
    }
    _ = try await write(
      store, #"{"id":"c1","persons":[{"id":"1"},{"id":"2"}]}"#, as: Sample.Club.self)
    _ = try await write(
      store, #"{"id":"c1","persons":[{"id":"3"},{"id":"1"}]}"#, as: Sample.Club.self,
      mapping: Graph.JSONMapping(lists: ["Club.persons": .append]))
    #expect(try persons() == ["1", "2", "3"])
    _ = try await write(store, #"{"id":"c1","persons":[{"id":"3"}]}"#, as: Sample.Club.self)
    #expect(try persons() == ["3"])
    #expect(try store.count(of: Sample.Person.self) == 3)
    let record = try await write(
      store, #"{"id":"c1","persons":[{"id":"1"}]}"#, as: Sample.Club.self,
      mapping: Graph.JSONMapping(lists: ["Club.persons": .replaceDeletingOld]))
    #expect(record.deleted.map(\.description) == ["Person:3"])
    #expect(try persons() == ["1"])
    #expect(try !store.contains(Sample.Person.self, key: "3"))
  }

  @Test(arguments: StoreKind.allCases)
  func mapsOtherKeysToFields(kind: StoreKind) async throws {
    let store = try kind.make()
    var mapping = Graph.JSONMapping()
    mapping.keys["Person"] = ["_id": "id", "full_name": "name", "team": "club"]
    mapping.keys["Club"] = ["uid": "id"]
    _ = try await write(
      store, #"{"_id":"p1","full_name":"Ann","team":{"uid":"c1","name":"Rooks"},"extra":[1]}"#,
      as: Sample.Person.self, mapping: mapping)
    let ann = try #require(try store.object(Sample.Person.self, id: "p1"))
    #expect(ann.name == "Ann" && ann.club?.name == "Rooks")
  }

  @Test(arguments: StoreKind.allCases)
  func generatesMissingKeys(kind: StoreKind) async throws {
    let store = try kind.make()
    let record = try await write(
      store, #"[{"name":"Ann","club":{"name":"Rooks"}},{"id":null,"name":"Bea"}]"#,
      as: Sample.Person.self)
    #expect(record.roots.count == 2 && Set(record.roots).count == 2)
    #expect(record.roots.allSatisfy { UUID(uuidString: $0.key) != nil })
    let ann = try #require(try store.object(Sample.Person.self, key: record.roots[0].key))
    #expect(ann.name == "Ann" && ann.club?.name == "Rooks")
  }

  @Test(arguments: StoreKind.allCases)
  func replaceAllDeletesOtherObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    _ = try await write(
      store, #"[{"id":"c1","captain":{"id":"p1"},"persons":[{"id":"p1"},{"id":"p2"}]}]"#,
      as: Sample.Club.self)
    let record = try await write(
      store, #"[{"id":"p2","name":"Bea"}]"#, as: Sample.Person.self, mode: .replaceAll)
    #expect(record.deleted.map(\.description) == ["Person:p1"])
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","captain":null,"persons":[{"&":"Person:p2"}]}"#)
  }

  @Test(
    arguments: [
      (#"{"id":"p1","age":"seven"}"#, "age"), (#"{"id":"p1","club":[]}"#, "club"),
      (#"{"id":"p1","name":null}"#, "name"), (#"{"id":"p1""#, ""), ("7", ""), ("[7]", ""),
      (#"{"id":"p1","friends":[{"id":"p2","age":1.5}]}"#, "age"),
    ])
  func rejectsJSONThatViolatesTheSchema(json: String, field: String) async throws {
    let store = try StoreKind.file.make()
    let error = await #expect(throws: Graph.StoreError.self) {
      _ = try await write(store, "[{\"id\":\"p0\"}]", as: Sample.Person.self)
      _ = try await write(store, json, as: Sample.Person.self)
    }
    #expect(error?.code == .invalidJSON)
    #expect(error?.message.contains(field) == true || field.isEmpty)
    #expect(error?.cause is GraphQL.SchemaViolation || field.isEmpty)
    #expect(error?.description.contains("seven") == false)
    #expect(try store.counts() == ["Person": 1])
  }
}
