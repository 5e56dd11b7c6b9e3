import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Expected changes of relations: the other side follows what is known, whichever operations end.
@Suite struct OverlayRelationTests {
  private func store(_ kind: StoreKind) async throws -> Graph.Store {
    let store = try await kind.makeWithOverlays(
      .init(policies: ["Club": Graph.TypePolicy(inverses: ["persons": "club"])]))
    try await respond(#"{"id":"a","persons":[{"id":"p"}]}"#, store)
    try await respond(#"{"id":"b","persons":[]}"#, store)
    try await respond(#"{"id":"c","persons":[]}"#, store)
    return store
  }

  private func respond(_ club: String, _ store: Graph.Store) async throws {
    try await store.write(json: Array(club.utf8), as: Sample.Club.self)
  }

  private func key(_ type: String, _ key: String) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: type, key: key)
  }

  private func queue(
    _ change: Graph.StoreChange, _ number: Int64, in store: Graph.Store
  ) async throws {
    try await store.write { try $0.overlay(change, on: key("Person", "p"), by: number) }
  }

  private func end(_ number: Int64, in store: Graph.Store) async throws {
    try await store.write { try $0.removeOverlay(of: number) }
  }

  /// The club of a person, with the persons of all clubs.
  private func state(_ store: Graph.Store, _ person: String = "p") throws -> String {
    let club = try store.object(Sample.Person.self, key: person)?.club?.id.rawValue ?? "-"
    let clubs = try ["a", "b", "c"].map { club in
      let persons = try store.object(Sample.Club.self, key: club)?.persons ?? []
      return "\(club):" + persons.map(\.id.rawValue).joined()
    }
    return "\(club) " + clubs.joined(separator: " ")
  }

  @Test(arguments: StoreKind.allCases)
  func anEarlierMoveIsRefused(kind: StoreKind) async throws {
    let store = try await store(kind)
    try await queue(.update(["club": ["id": "b"]]), 1, in: store)
    try await queue(.update(["club": ["id": "b"]]), 2, in: store)
    try await queue(.update(["club": ["id": "c"]]), 3, in: store)
    #expect(try state(store) == "c a: b: c:p")
    try await end(1, in: store)
    #expect(try state(store) == "c a: b: c:p")
    try await end(3, in: store)
    #expect(try state(store) == "b a: b:p c:")
    try await end(2, in: store)
    #expect(try state(store) == "a a:p b: c:")
  }

  @Test(arguments: StoreKind.allCases)
  func aResponseMovesTheObject(kind: StoreKind) async throws {
    let store = try await store(kind)
    try await queue(.update(["club": ["id": "b"]]), 1, in: store)
    try await respond(#"{"id":"c","persons":[{"id":"p"}]}"#, store)
    #expect(try state(store) == "b a: b:p c:")
    try await end(1, in: store)
    #expect(try state(store) == "c a: b: c:p")
  }

  /// The club that the person leaves is not stored when the change is queued.
  @Test(arguments: StoreKind.allCases)
  func aFormerOwnerComesBack(kind: StoreKind) async throws {
    let store = try await store(kind)
    let club = key("Club", "a")
    try await store.write { try $0.remove($0.entityState(of: club)) }
    try await queue(.update(["club": ["id": "b"]]), 1, in: store)
    #expect(try state(store) == "b a: b:p c:")
    try await respond(#"{"id":"a","persons":[{"id":"p"}]}"#, store)
    #expect(try state(store) == "b a: b:p c:")
    try await end(1, in: store)
    #expect(try state(store) == "a a:p b: c:")
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectArrivesLater(kind: StoreKind) async throws {
    let store = try await store(kind)
    let clubs = GraphQL.EntityKey(typeName: "Club", key: "b")
    try await queue(.append(key("Person", "q"), to: .list("persons", of: clubs)), 1, in: store)
    try await queue(.update(key("Person", "r"), ["club": ["id": "b"]]), 2, in: store)
    #expect(try state(store) == "a a:p b: c:")
    try await respond(#"{"id":"c","persons":[{"id":"q"},{"id":"r"}]}"#, store)
    #expect(try state(store, "q") == "b a:p b:qr c:")
    #expect(try state(store, "r") == "b a:p b:qr c:")
    try await end(2, in: store)
    #expect(try state(store, "q") == "b a:p b:q c:r")
  }

  /// A save that was not sent is replaced in one transaction.
  @Test(arguments: StoreKind.allCases)
  func aCreationIsReplaced(kind: StoreKind) async throws {
    let store = try await store(kind)
    let club = key("Club", "x")
    try await queue(.create(club, ["name": "n", "persons": []]), 1, in: store)
    try await queue(.update(["club": ["id": "x"]]), 2, in: store)
    try await store.write {
      try $0.removeOverlay(of: 1)
      try $0.overlay(.create(club, ["name": "m", "persons": []]), on: club, by: 1)
    }
    #expect(try store.object(Sample.Club.self, key: "x")?.persons.map(\.id.rawValue) == ["p"])
    #expect(try state(store) == "x a: b: c:")
  }

  @Test(arguments: StoreKind.allCases)
  func aListArrivesLater(kind: StoreKind) async throws {
    let store = try await store(kind)
    try await respond(#"{"id":"d","name":"n"}"#, store)
    let list = Graph.StoredList.list("persons", of: key("Club", "d"))
    try await queue(.append(key("Person", "p"), to: list), 1, in: store)
    #expect(try state(store) == "a a:p b: c:")
    try await respond(#"{"id":"d","persons":[]}"#, store)
    #expect(try state(store) == "d a: b: c:")
    #expect(try store.object(Sample.Club.self, key: "d")?.persons.map(\.id.rawValue) == ["p"])
  }

  /// The table of patches is read again after a transaction that was undone.
  @Test func anUndoneEndKeepsTheChange() async throws {
    let store = try await store(.file)
    struct Undone: Error {}
    try await queue(.update(["club": ["id": "b"]]), 1, in: store)
    await #expect(throws: Undone.self) {
      try await store.write {
        try $0.removeOverlay(of: 1)
        try $0.applyOverlaysToNewRecords()
        throw Undone()
      }
    }
    #expect(try state(store) == "b a: b:p c:")
    try await end(1, in: store)
    #expect(try state(store) == "a a:p b: c:")
    #expect(try store.rows("SELECT entity FROM overlay_patch", []) { $0.text(0) } == [])
  }

  /// The parts of one change are applied in their order, and again when it is made again.
  @Test(arguments: StoreKind.allCases)
  func oneChangeMovesTheObjectTwice(kind: StoreKind) async throws {
    let store = try await store(kind)
    let list = Graph.StoredList.list("persons", of: key("Club", "a"))
    try await queue(.update(["club": ["id": "c"]]), 1, in: store)
    try await queue(
      [.update(["club": ["id": "b"]]), .append(key("Person", "p"), to: list)], 2, in: store)
    #expect(try state(store) == "a a:p b: c:")
    try await end(1, in: store)
    #expect(try state(store) == "a a:p b: c:")
    try await respond(#"{"id":"b","persons":[{"id":"p"}]}"#, store)
    #expect(try state(store) == "a a:p b: c:")
    try await store.write { try $0.removeOverlay(of: 2, isExecuted: true) }
    #expect(try state(store) == "a a:p b: c:")
  }

  /// A store that is opened again knows the same.
  @Test func theNextRunContinues() async throws {
    let file = try TemporaryFolder().file()
    let policies = ["Club": Graph.TypePolicy(inverses: ["persons": "club"])]
    func open() throws -> Graph.Store {
      try Graph.Store(schema: Sample.schema, file: file, configuration: .init(policies: policies))
    }
    do {
      let store = try open()
      try await store.write { _ = try $0.createOverlayTables() }
      try await respond(#"{"id":"a","persons":[{"id":"p"}]}"#, store)
      for club in ["b", "c"] { try await respond(#"{"id":"\#(club)","persons":[]}"#, store) }
      try await queue(.update(["club": ["id": "b"]]), 1, in: store)
      try await queue(.update(["club": ["id": "c"]]), 2, in: store)
    }
    let store = try open()
    try await end(1, in: store)
    #expect(try state(store) == "c a: b: c:p")
    try await end(2, in: store)
    #expect(try state(store) == "a a:p b: c:")
  }
}
