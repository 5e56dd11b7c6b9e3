import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct StoredObjectTests {
  private let query = Sample.buildQuery {
    $0.club(id: "c1") {
      $0.id().name().captain { $0.id().name().club { $0.id() } }.place { $0.city() }
        .persons { $0.id().age() }
    }
    .search(text: "a") { $0.onClub { $0.id() }.onPlace { $0.name() } }
  }
  private let data = #"""
    {"club":{"id":"c1","name":"Rooks","captain":{"id":"p1","name":"Ann","club":{"id":"c1"}},
    "place":{"city":"Bern"},"persons":[{"id":"p1","age":7},{"id":"p2","age":null}]},
    "search":[{"__typename":"Club","id":"c1"},{"__typename":"Place","name":"Hall"}]}
    """#

  @Test(arguments: StoreKind.allCases)
  func generatedClassesReadFieldsOfRecords(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    let club = try #require(try store.object(Sample.Club.self, id: "c1"))
    #expect(club.name == "Rooks")
    #expect(club.captain?.name == "Ann")
    #expect(club.captain?.club?.captain?.name == "Ann")
    #expect(club.place?.city == "Bern")
    #expect(club.persons.map(\.age) == [7, nil])
    #expect(club.has(\.captain?.name) && !club.has(\.captain?.score) && !club.has(\.motto))
    #expect(throws: GraphQL.MissingField.self) { try club.read(\.motto) }
    #expect(club.rawText(\.captain?.name) == "Ann")
    #expect((club.field("captain") as? Sample.Person)?.name == "Ann")
    #expect(try store.object(Sample.Club.self, id: "c2") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func readsFieldsThatHadArguments(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    let found = try root.value(\.search, arguments: ["text": "a"])
    #expect((found[0] as? Sample.Club)?.name == "Rooks")
    #expect((found[1] as? Sample.Place)?.name == "Hall")
    #expect(try root.value(\.club, arguments: ["id": "c1"])?.name == "Rooks")
    #expect(throws: GraphQL.MissingField.self) { try root.value(\.club, arguments: ["id": "c2"]) }
    #expect(
      try root.value(\.club, arguments: ["id": "c1"])?.value(\.name, arguments: [:]) == "Rooks")
    #expect(throws: GraphQL.OpaqueKeyPath.self) {
      try root.value(\.club?.name, arguments: ["id": "c1"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func readsSeveralObjectsInTheOrderOfTheKeys(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    let persons = try store.objects(Sample.Person.self, keys: ["p2", "p9", "p1"])
    #expect(persons.map { $0?.id } == ["p2", nil, "p1"])
    #expect(try store.count(of: Sample.Person.self) == 2)
    #expect(try store.count(of: Sample.Product.self) == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func aLinkToAMissingObjectHasItsKey(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    try await store.writer.perform { transaction in
      let key = GraphQL.EntityKey(typeName: "Person", key: "p1")
      transaction.put(nil, in: try transaction.entityState(of: key))
    }
    let club = try #require(try store.object(Sample.Club.self, id: "c1"))
    #expect(club.captain?.id == "p1")
    #expect(!club.has(\.captain?.name))
  }

  /// Objects that were created elsewhere can be looked up, and their own values are not stored.
  @Test(arguments: StoreKind.allCases)
  func anObjectCreatedOutsideTheStoreIsNotStored(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    let made = try Sample.Person(fields: ["id": "p1", "name": "Not Ann"])
    #expect(try store.key(of: made)?.description == "Person:p1")
    #expect(
      try store.changes(of: Sample.Person.self, key: "p1", since: made)?["name"] == "Ann")
    let nameless = try Sample.Person(fields: ["name": "Nobody"])
    #expect(try store.key(of: nameless) == nil)
    // A program cannot forge a link.
    #expect(throws: GraphQL.SchemaViolation.self) {
      try Sample.Person(fields: ["id": "p9", "club": ["&": "Club:c1"]])
    }
    let stranger = try Sample.Person(fields: ["id": "p9", "club": ["id": "c1"]])
    #expect(
      try store.object(Sample.Person.self, key: try #require(try store.key(of: stranger)).key)
        == nil)
    #expect(try store.changes(of: Sample.Person.self, key: "p9", since: stranger) == nil)
    #expect(try store.counts() == ["Query": 1, "Club": 1, "Person": 2])
  }

  @Test func rejectsTypesThatAreNotObjectTypes() throws {
    let store = try StoreKind.memory.make()
    #expect(throws: Graph.StoreError.self) { try store.object(Sample.UnknownNode.self, id: "1") }
    #expect(throws: Graph.StoreError.self) {
      try store.object(GraphQL.AbstractResponse.self, id: "1")
    }
  }
}
