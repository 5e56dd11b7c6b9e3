import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Expected values cover the known ones, and leave no trace when they are removed.
@Suite struct OverlayTests {
  private func expect(
    _ expected: Graph.StoreChange, on key: String, by change: Int64, in store: Graph.Store
  ) async throws {
    let key = try #require(GraphQL.EntityKey(key))
    try await store.write { try $0.overlay(expected, on: key, by: change) }
  }

  private func end(_ change: Int64, in store: Graph.Store) async throws {
    try await store.write { try $0.removeOverlay(of: change) }
  }

  private func write(
    _ json: String, as type: GraphQL.AbstractResponse.Type, in store: Graph.Store
  ) async throws {
    try await store.write(json: Array(json.utf8), as: type)
  }

  @Test(arguments: StoreKind.allCases)
  func serverValuesAreStoredBelowTheOverlay(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await write(#"{"id":"c","name":"Rooks","motto":"a"}"#, as: Sample.Club.self, in: store)
    try await expect(.update(["motto": "b"]), on: "Club:c", by: 1, in: store)
    try await expect(.update(["motto": "c", "name": "Knights"]), on: "Club:c", by: 2, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.motto == "c")
    try await write(#"{"id":"c","name":"Pawns","motto":"z"}"#, as: Sample.Club.self, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Knights")
    try await end(2, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Pawns")
    #expect(try store.object(Sample.Club.self, key: "c")?.motto == "b")
    try await end(1, in: store)
    #expect(
      try store.text("Club:c") == #"{"__typename":"Club","id":"c","name":"Pawns","motto":"z"}"#)
  }

  /// Expected values of transient objects are only in the memory of the store that queued them.
  @Test func anotherStoreEndsAnOperationWithValuesInMemory() async throws {
    let file = try TemporaryFolder()
    let configuration = Graph.Store.Configuration(
      policies: [
        "Club": Graph.TypePolicy(inverses: ["persons": "club"]),
        "Person": Graph.TypePolicy(persistence: .transient),
      ])
    func open() throws -> Graph.Store {
      try Graph.Store(schema: Sample.schema, file: file.file(), configuration: configuration)
    }
    let (store, other) = (try open(), try open())
    try await store.write {
      try $0.register(
        extensionTables: $0.createOverlayTables(),
        unsentWork: "SELECT 1 AS id, 2 AS entity, 3 AS name, 4 AS state WHERE 0")
    }
    try await write(#"{"id":"c","name":"Rooks","persons":[]}"#, as: Sample.Club.self, in: store)
    try await write(#"{"id":"p","name":"Ann"}"#, as: Sample.Person.self, in: store)
    for (change, name) in [(1, "Bea"), (2, "Cleo")] as [(Int64, JSON)] {
      try await expect(
        .update(["name": name, "club": ["id": "c"]]), on: "Person:p", by: change, in: store)
    }
    #expect(try store.object(Sample.Person.self, key: "p")?.name == "Cleo")
    let person = try #require(GraphQL.EntityKey("Person:p"))
    var names = try store.states(of: Sample.Person.self, key: person.key).makeAsyncIterator()
    #expect(try await names.next()??.name == "Cleo")
    try await end(2, in: other)
    #expect(try await names.next()??.name == "Bea")
    try await end(1, in: other)
    #expect(try await names.next()??.name == "Ann")
    #expect(
      try store.text("Club:c")
        == #"{"__typename":"Club","id":"c","name":"Rooks","persons":[]}"#)
    let rows = try await other.write { transaction in
      try transaction.rows("SELECT entity FROM overlay_patch") { $0.text(0) }
    }
    #expect(rows == [])
  }

  @Test func fieldsOfAnotherTypeAreRefused() async throws {
    let store = try await StoreKind.file.makeWithOverlays()
    await #expect(throws: Graph.StoreError.self) {
      try await expect(.update(["__typename": "Person"]), on: "Club:c", by: 1, in: store)
    }
    try await expect(.create(["__typename": "Club", "name": "a"]), on: "Club:c", by: 1, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "a")
  }

  @Test(arguments: StoreKind.allCases)
  func removingACreatingOverlayDeletesItsObjects(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    let fields: JSON = [
      "name": "Rooks", "persons": [["id": "p", "name": "Ann"], ["id": "q"]],
      "place": ["name": "Hall"],
    ]
    try await expect(.create(fields), on: "Club:t", by: 1, in: store)
    let club = try #require(try store.object(Sample.Club.self, key: "t"))
    #expect(club.name == "Rooks" && club.persons[0].name == "Ann" && club.place?.name == "Hall")
    #expect(try store.counts() == ["Club": 1, "Person": 1])
    try await end(1, in: store)
    #expect(try store.counts() == [:])
  }

  @Test(arguments: StoreKind.allCases)
  func anUpdateOfAMissingObjectHasNoEffect(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await expect(.update(["motto": "b"]), on: "Club:c", by: 1, in: store)
    #expect(try store.object(Sample.Club.self, key: "c") == nil)
    try await write(#"{"id":"c","name":"Rooks","motto":"a"}"#, as: Sample.Club.self, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.motto == "b")
    try await store.write { try $0.delete(Sample.Club.self, key: "c") }
    #expect(try store.object(Sample.Club.self, key: "c") == nil)
    try await end(1, in: store)
    #expect(try store.counts() == [:])
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletionHidesLinksToTheObject(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    let club = #"{"id":"c","name":"R","captain":{"id":"p"},"persons":[{"id":"p","name":"A"},"#
    try await write(club + #"{"id":"q","name":"B"}]}"#, as: Sample.Club.self, in: store)
    let before = try store.text("Club:c")
    try await expect(.delete, on: "Person:p", by: 1, in: store)
    #expect(try store.contains(Sample.Person.self, key: "p") == false)
    #expect(try store.object(Sample.Club.self, key: "c")?.persons.map(\.name) == ["B"])
    // The server does not have it yet.
    try await write(
      #"{"id":"c","persons":[{"id":"p","name":"A"},{"id":"r","name":"C"}]}"#,
      as: Sample.Club.self, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.persons.map(\.name) == ["C"])
    try await write(
      #"{"id":"c","persons":[{"id":"p"},{"id":"q"}]}"#, as: Sample.Club.self, in: store)
    try await end(1, in: store)
    #expect(try store.text("Club:c") == before)
    #expect(try store.contains(Sample.Person.self, key: "p"))
  }

  /// When the object was to be deleted, another operation hid the link to it.
  @Test(arguments: StoreKind.allCases)
  func aDeletionHidesLinksThatAnotherOperationHasHidden(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await write(
      #"{"id":"c","captain":{"id":"p"},"persons":[{"id":"p"},{"id":"q"}]}"#, as: Sample.Club.self,
      in: store)
    try await expect(.update(["captain": nil, "persons": []]), on: "Club:c", by: 1, in: store)
    try await expect(.delete, on: "Person:p", by: 2, in: store)
    try await end(1, in: store)
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(club.captain == nil && club.persons.map(\.id) == ["q"])
    try await end(2, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.captain?.id == "p")
  }

  @Test func aDeletionHidesNodesOfConnections() async throws {
    let store = try await StoreKind.file.makeWithOverlays()
    let query = Sample.buildQuery {
      $0.products(first: 2) { $0.nodes { $0.id().title() }.pageInfo { $0.hasNextPage() } }
    }
    let nodes = #"[{"id":"1","title":"a"},{"id":"2","title":"b"}]"#
    try await store.write(
      query, #"{"products":{"nodes":\#(nodes),"pageInfo":{"hasNextPage":false}}}"#)
    try await expect(.delete, on: "Product:1", by: 1, in: store)
    #expect(try store.read(query).data?.products.nodes.map(\.title) == ["b"])
    try await end(1, in: store)
    #expect(try store.read(query).data?.products.nodes.map(\.title) == ["a", "b"])
  }

  @Test func anOverlayRemainsAfterReopening() async throws {
    let file = try TemporaryFolder().file()
    do {
      let store = try Graph.Store(schema: Sample.schema, file: file)
      try await store.write { try $0.createOverlayTables() }
      try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
      try await expect(.update(["name": "Knights"]), on: "Club:c", by: 7, in: store)
    }
    let store = try Graph.Store(schema: Sample.schema, file: file)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Knights")
    try await write(#"{"id":"c","name":"Pawns"}"#, as: Sample.Club.self, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Knights")
    try await end(7, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Pawns")
  }

  @Test(arguments: StoreKind.allCases)
  func aRolledBackTransactionKeepsTheOverlay(kind: StoreKind) async throws {
    struct Stop: Error {}
    let store = try await kind.makeWithOverlays()
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    try await expect(.update(["name": "Knights"]), on: "Club:c", by: 1, in: store)
    await #expect(throws: Stop.self) {
      try await store.write { transaction in
        try transaction.removeOverlay(of: 1)
        try transaction.overlay(
          .update(["name": "Bishops"]), on: GraphQL.EntityKey("Club:c")!, by: 2)
        throw Stop()
      }
    }
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Knights")
    try await end(1, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Rooks")
  }

  @Test func overlaysOfTransientTypesAreMemoryOnly() async throws {
    let store = try await StoreKind.file.makeWithOverlays()
    try await expect(.create(["lines": []]), on: "Checkout:t", by: 1, in: store)
    #expect(try store.object(Sample.Checkout.self, key: "t")?.lines.isEmpty == true)
    // The file only has the operation's number, so that another process can end it.
    let rows = try store.rows("SELECT entity || effect || content FROM overlay_patch", []) {
      $0.text(0)
    }
    #expect(rows == ["memory{}"])
    try await end(1, in: store)
    #expect(try store.rows("SELECT 1 FROM overlay_patch", []) { $0.integer(0) } == [])
    #expect(try store.object(Sample.Checkout.self, key: "t") == nil)
  }

  /// Only a response makes an object fresh.
  @Test func overlaysDoNotChangeTheAgeOfObjects() async throws {
    let clock = Locked(Int64(1_000_000))
    var configuration = Graph.Store.Configuration()
    configuration.now = { clock.withLock { $0 } }
    let store = try Graph.Store(
      schema: Sample.schema, file: TemporaryFolder().file(), configuration: configuration)
    try await store.write { try $0.createOverlayTables() }
    let query = Sample.buildQuery { $0.product(id: "1") { $0.id().title() } }
    let operation = try query.operation()
    try await store.write(query, #"{"product":{"id":"1","title":"a"}}"#)
    clock.withLock { $0 += 61_000 }
    try await expect(.update(["title": "b"]), on: "Product:1", by: 1, in: store)
    #expect(try store.response(to: operation, maximumAge: nil) == nil)
    try await store.write(query, #"{"product":{"id":"1","title":"c"}}"#)
    #expect(try store.response(to: operation, maximumAge: nil)?.data.product?.title == "b")
  }

  @Test(arguments: StoreKind.allCases)
  func aLogoutRemovesOverlays(kind: StoreKind) async throws {
    guard kind == .file else { return }
    let store = try await kind.makeWithOverlays()
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    try await expect(.update(["name": "Knights"]), on: "Club:c", by: 1, in: store)
    try await expect(.create(["lines": []]), on: "Checkout:t", by: 2, in: store)
    try await store.logout()
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Rooks")
    #expect(try store.counts() == ["Club": 1])
    try await end(1, in: store)
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Rooks")
  }

  @Test(arguments: StoreKind.allCases)
  func renamingAKeyUpdatesLinksAndPatches(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    let old = try #require(GraphQL.EntityKey("Club:tmp-1"))
    let new = try #require(GraphQL.EntityKey("Club:gid://c/1"))
    try await expect(.create(["name": "Rooks"]), on: "Club:tmp-1", by: 1, in: store)
    try await expect(.update(["motto": "m"]), on: "Club:tmp-1", by: 2, in: store)
    try await expect(.create(["club": ["id": "tmp-1"]]), on: "Person:q", by: 3, in: store)
    try await write(#"{"id":"p","club":{"id":"tmp-1"}}"#, as: Sample.Person.self, in: store)
    var states = try store.states(of: Sample.Club.self, key: "tmp-1").makeAsyncIterator()
    #expect(try await states.next()??.name == "Rooks")
    try await store.write { transaction in
      try transaction.write(
        json: Array(#"{"id":"gid://c/1","name":"Rooks FC"}"#.utf8), as: Sample.Club.self)
      try transaction.rename(old, to: new)
      try transaction.removeOverlay(of: 1)
    }
    let seen = try #require(try await states.next() ?? nil)
    #expect(seen.id == "gid://c/1" && seen.name == "Rooks FC" && seen.motto == "m")
    #expect(try store.object(Sample.Club.self, key: "tmp-1") == nil)
    #expect(try store.object(Sample.Person.self, key: "p")?.club?.name == "Rooks FC")
    #expect(try store.object(Sample.Person.self, key: "q")?.club?.name == "Rooks FC")
    try await end(2, in: store)
    try await end(3, in: store)
    #expect(
      try store.text("Club:gid://c/1")
        == #"{"__typename":"Club","id":"gid://c/1","name":"Rooks FC"}"#)
    #expect(try store.contains(Sample.Person.self, key: "q") == false)
  }

  @Test(arguments: [
    (#"{"name":"x"}"#, true), (#"{"nme":"x"}"#, false), (#"{"name":1}"#, false),
    (#"{"id":"other"}"#, false), ("[]", false),
  ])
  func checksFieldsAgainstTheSchema(fields: String, isFine: Bool) async throws {
    let store = try await StoreKind.memory.makeWithOverlays()
    let json = try JSON(parsing: Array(fields.utf8))
    do {
      try await expect(.create(json), on: "Club:c", by: 1, in: store)
      #expect(isFine)
    } catch let error as Graph.StoreError {
      #expect(!isFine && error.code == .invalidJSON)
    }
    #expect(try store.counts() == (isFine ? ["Club": 1] : [:]))
  }

  @Test(arguments: StoreKind.allCases)
  func deleteRulesDoNotDenyDeletionsOfTheServer(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: ["Person": Graph.TypePolicy(deleteRules: ["friends": .deny])]))
    if kind == .file { try await store.write { _ = try $0.createOverlayTables() } }
    try await write(#"{"id":"1","friends":[{"id":"2"}]}"#, as: Sample.Person.self, in: store)
    try await expect(.delete, on: "Person:1", by: 1, in: store)
    try await store.write { try $0.removeOverlay(of: 1, isExecuted: true) }
    #expect(try store.counts() == ["Person": 1])
    #expect(try store.contains(Sample.Person.self, key: "1") == false)
  }

  /// The link is not in the file: it leads to an object that is stored in memory.
  @Test func renamingAKeyUpdatesMemoryOnlyLinks() async throws {
    let store = try await StoreKind.file.makeWithOverlays()
    let query = Sample.buildQuery { $0.checkout(id: "k") { $0.id() } }
    try await store.write(query, #"{"checkout":{"id":"tmp-1"}}"#)
    let keys = try ["Checkout:tmp-1", "Checkout:gid-1"].map {
      try #require(GraphQL.EntityKey($0))
    }
    try await store.write { try $0.rename(keys[0], to: keys[1]) }
    #expect(try store.read(query).data?.checkout?.id.rawValue == "gid-1")
    #expect(store.committed.memory.memoryOnly.values.allSatisfy { !$0.text.contains("tmp-1") })
  }

  /// The key of a transient object is not written to the file by the other side of a relation.
  @Test func aKeyOfATransientObjectIsNotInTheFile() async throws {
    let store = try await StoreKind.file.makeWithOverlays(
      .init(
        policies: [
          "Club": Graph.TypePolicy(inverses: ["persons": "club"]),
          "Person": Graph.TypePolicy(persistence: .transient),
        ]))
    try await store.write(
      json: Array(#"{"id":"c","persons":[{"id":"secret"}]}"#.utf8), as: Sample.Club.self)
    try await store.write(
      json: Array(#"{"id":"d","persons":[]}"#.utf8), as: Sample.Club.self)
    let person = GraphQL.EntityKey(typeName: "Person", key: "secret")
    try await store.write {
      try $0.overlay(.update(["club": ["id": "d"]]), on: person, by: 1)
    }
    func persons(_ club: String) throws -> [GraphQL.ID]? {
      try store.object(Sample.Club.self, key: club)?.persons.map(\.id)
    }
    #expect(try persons("c") == [] && persons("d") == ["secret"])
    let rows = try store.rows("SELECT entity || effect || content FROM overlay_patch", []) {
      $0.text(0)
    }
    #expect(rows.count == 3 && rows.allSatisfy { !$0.contains("secret") }, "\(rows)")
    try await store.write { try $0.removeOverlay(of: 1) }
    #expect(try persons("c") == ["secret"] && persons("d") == [])
  }
}
