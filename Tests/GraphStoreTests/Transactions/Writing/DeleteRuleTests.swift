import GraphQLRuntime
import Testing

@testable import GraphStore

/// The effects of deleting an object on the objects to which its fields lead.
@Suite struct DeleteRuleTests {
  private func store(
    _ kind: StoreKind, _ rules: [String: Graph.TypePolicy.DeleteRule], key: String = "Club"
  ) async throws -> Graph.Store {
    let store = try kind.make(
      .init(policies: [
        key: Graph.TypePolicy(
          deleteRules: rules, inverses: key == "Club" ? ["persons": "club"] : nil)
      ]))
    try await store.write(
      json: Array(
        #"""
        [{"id":"c","captain":{"id":"1"},"persons":[{"id":"1"},{"id":"2"}],
          "teams":[[{"id":"3"}]]}, {"id":"d","captain":{"id":"2"}}]
        """#.utf8), as: Sample.Club.self)
    return store
  }

  private func delete(_ store: Graph.Store, _ key: String = "c") async throws -> [String] {
    try await store.write { try $0.delete(Sample.Club.self, key: key) }
      .map(\.description)
  }

  @Test(arguments: StoreKind.allCases)
  func cascadeDeletesLinkedObjects(kind: StoreKind) async throws {
    let store = try await store(kind, ["persons": .cascade, "teams": .nullify])
    #expect(try await delete(store) == ["Club:c", "Person:1", "Person:2"])
    #expect(try store.counts() == ["Club": 1, "Person": 1])
    let other = try #require(try store.object(Sample.Club.self, key: "d"))
    #expect(other.has(\.captain) && other.captain == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func cascadesAreTransitive(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: [
        "Person": Graph.TypePolicy(deleteRules: ["friends": .cascade, "favourites": .cascade])
      ]))
    try await store.write(
      json: Array(
        #"""
        [{"id":"1","friends":[{"id":"2","friends":[{"id":"3","friends":[{"id":"1"}]}]}]},
         {"id":"4","friends":[{"id":"3"}]}]
        """#.utf8), as: Sample.Person.self)
    // A connection leads to its nodes.
    try await store.write(
      Sample.buildQuery {
        $0.person(id: "2") { $0.id().favourites(first: 2) { $0.nodes { $0.id() } } }
      }, #"{"person":{"id":"2","favourites":{"nodes":[{"id":"p"},{"id":"q"}]}}}"#)
    let deleted = try await store.write { try $0.delete(Sample.Person.self, key: "1") }
    #expect(
      deleted.map(\.description)
        == ["Person:1", "Person:2", "Person:3", "Product:p", "Product:q"])
    #expect(try store.counts() == ["Person": 1, "Query": 1])
    #expect(try store.object(Sample.Person.self, key: "4")?.friends.isEmpty == true)
  }

  @Test(arguments: StoreKind.allCases)
  func denyRejectsTheDeletionOfAnObjectWithLinks(kind: StoreKind) async throws {
    let store = try await store(kind, ["persons": .deny])
    let before = try store.text("Club:c")
    // The transaction continues without it.
    let error = try await store.write { transaction in
      let error = #expect(throws: Graph.StoreError.self) {
        try transaction.delete(Sample.Club.self, key: "c")
      }
      try transaction.write(json: Array(#"{"id":"9"}"#.utf8), as: Sample.Person.self)
      return error
    }
    #expect(error?.code == .deletionDenied)
    #expect(error?.message.contains("`Club.persons`") == true)
    #expect(try store.text("Club:c") == before)
    #expect(try store.counts() == ["Club": 2, "Person": 4])
    // It can be deleted together with the objects that it leads to. An object that leads to nothing
    // can be deleted too.
    #expect(try await delete(store, "d") == ["Club:d"])
    let deleted = try await store.write { transaction in
      try transaction.delete(
        ["Club:c", "Person:2", "Person:1"].compactMap { GraphQL.EntityKey($0) })
    }
    #expect(deleted.count == 3)
    #expect(try store.counts() == ["Person": 2])
  }

  @Test(arguments: StoreKind.allCases)
  func denyDoesNotPreventALogout(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: [
        "Club": Graph.TypePolicy(persistence: .sensitive, deleteRules: ["persons": .deny])
      ]))
    try await store.write(
      json: Array(#"{"id":"c","persons":[{"id":"1"}]}"#.utf8), as: Sample.Club.self)
    try await store.logout()
    #expect(try store.counts() == ["Person": 1])
  }

  @Test(arguments: StoreKind.allCases)
  func noActionKeepsLinksToTheDeletedObject(kind: StoreKind) async throws {
    let store = try await store(kind, ["persons": .noAction])
    #expect(try await delete(store) == ["Club:c"])
    #expect(try store.text("Person:2")?.contains(#""club":{"&":"Club:c"}"#) == true)
    let nullifying = try await self.store(kind, ["persons": .nullify])
    #expect(try await delete(nullifying) == ["Club:c"])
    #expect(try nullifying.text("Person:2")?.contains(#""club":null"#) == true)
  }

  @Test func readsRulesFromTheSchemaTable() {
    let attributes = ["cascade": "a,b", "deny": "c", "noAction": "d"]
    #expect(
      PolicyResolver.deleteRules(attributes)
        == ["a": .cascade, "b": .cascade, "c": .deny, "d": .noAction])
  }

  @Test(arguments: StoreKind.allCases)
  func replaceAllRemovesFieldsMissingFromTheNewData(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: ["Club": Graph.TypePolicy(inverses: ["persons": "club"])]))
    let query = Sample.buildQuery {
      $0.person(id: "1") { $0.id().favourites(first: 2) { $0.nodes { $0.id() } } }
    }
    try await store.write(
      json: Array(
        #"[{"id":"1","name":"Ann","age":7,"club":{"id":"c","name":"C"}},{"id":"2","name":"Bea"}]"#
          .utf8), as: Sample.Person.self)
    try await store.write(
      query, #"{"person":{"id":"1","favourites":{"nodes":[{"id":"p"}]}}}"#)
    let record = try await store.write(
      json: Array(#"[{"id":"1","score":2},{"id":"3","club":{"id":"c","motto":"M"}}]"#.utf8),
      as: Sample.Person.self, mode: .replaceAll)
    #expect(record.deleted.map(\.key) == ["2"])
    #expect(record.updated.map(\.key).contains("1") && record.inserted.map(\.key).contains("3"))
    #expect(try store.text("Person:1") == #"{"__typename":"Person","id":"1","score":2}"#)
    // Links to deleted objects are removed; an object that is only in a field is updated.
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(club.persons.map(\.id) == ["3"] && club.name == "C" && club.motto == "M")
    #expect(try store.read(query).missing.isEmpty == false)
  }

  @Test(arguments: StoreKind.allCases)
  func denyDoesNotPreventDeletionsByTheServer(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: [
        "Club": Graph.TypePolicy(lists: ["persons": .replaceDeletingOld]),
        "Person": Graph.TypePolicy(deleteRules: ["friends": .deny]),
      ]))
    try await store.write(
      json: Array(#"{"id":"1","friends":[{"id":"9"}]}"#.utf8), as: Sample.Person.self)
    let query = Sample.buildQuery { $0.club(id: "c") { $0.id().persons { $0.id() } } }
    try await store.write(query, #"{"club":{"id":"c","persons":[{"id":"1"}]}}"#)
    let record = try await store.write(query, #"{"club":{"id":"c","persons":[]}}"#)
    #expect(record.deleted.map(\.description) == ["Person:1"])
    #expect(try store.counts()["Person"] == 1)
  }
}
