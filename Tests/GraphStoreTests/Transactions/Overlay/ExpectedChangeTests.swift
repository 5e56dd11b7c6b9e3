import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Changes that a client expects are seen by readers and observers of the store, and leave no trace.
@Suite struct ExpectedChangeTests {
  private static let club = GraphQL.EntityKey(typeName: "Club", key: "c")
  private static var rename: Sample.MutationQuery {
    Sample.buildMutation { $0.renameClub(id: "c", name: "x") { $0.id().name() } }
  }

  private func write(
    _ json: String, as type: GraphQL.AbstractResponse.Type, in store: Graph.Store
  ) async throws {
    try await store.write(json: Array(json.utf8), as: type)
  }

  private func name(_ store: Graph.Store) throws -> String? {
    try store.object(Sample.Club.self, key: "c")?.name
  }

  /// Stores the response to the mutation in place of an expected change.
  private func respond(
    _ name: String, to id: GraphQL.OptimisticChangeID?, updates: Graph.StoreChange = [],
    in store: Graph.Store, _ generation: GraphQL.StoreGeneration? = nil
  ) async throws {
    let operation = try Self.rename.operation()
    let data = #"{"data":{"renameClub":{"id":"c","name":"\#(name)"}}}"#
    try await store.store(
      operation.response(from: Array(data.utf8)), of: operation, in: generation, applying: updates,
      inPlaceOf: id)
  }

  @Test(arguments: StoreKind.allCases)
  func responsesAreStoredUnderTheChange(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(#"{"id":"c","name":"Rooks","motto":"a"}"#, as: Sample.Club.self, in: store)
    let first = try store.show(.update(Self.club, ["name": "Knights"]), in: nil)
    let second = try store.show(.update(Self.club, ["motto": "b"]), in: store.generation)
    #expect(try name(store) == "Knights")
    try await write(#"{"id":"c","name":"Pawns","motto":"z"}"#, as: Sample.Club.self, in: store)
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(club.name == "Knights" && club.motto == "b")
    store.hide(first)
    #expect(try name(store) == "Pawns")
    store.hide(second)
    store.hide(second)
    #expect(
      try store.text("Club:c") == #"{"__typename":"Club","id":"c","name":"Pawns","motto":"z"}"#)
  }

  @Test(arguments: StoreKind.allCases)
  func observersSeeTheChangeAndThenTheResponse(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    var states = try store.states(of: Sample.Club.self, key: "c").makeAsyncIterator()
    #expect(try await states.next()??.name == "Rooks")
    let id = try store.show(.update(Self.club, ["name": "Knights"]), in: nil)
    #expect(try await states.next()??.name == "Knights")
    try await respond("Pawns", to: id, in: store)
    #expect(try await states.next()??.name == "Pawns")
    let other = try store.show(.update(Self.club, ["name": "Knights"]), in: nil)
    #expect(try await states.next()??.name == "Knights")
    store.hide(other)
    #expect(try await states.next()??.name == "Pawns")
  }

  /// A reader on another thread sees the change or the response, and never the state before.
  @Test(arguments: StoreKind.allCases)
  func thereIsNoStateBetweenTheChangeAndTheResponse(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(#"{"id":"c","name":"0"}"#, as: Sample.Club.self, in: store)
    let least = Locked(0)
    let isDone = Locked(false)
    let reader = Task.detached {
      var seen = 0
      while !isDone.withLock({ $0 }) {
        let atLeast = least.withLock { $0 }
        let number = try Int(#require(try store.object(Sample.Club.self, key: "c")).name) ?? -1
        guard number >= atLeast, number >= seen else { return false }
        seen = number
        await Task.yield()
      }
      return true
    }
    for round in 1...30 {
      let id = try store.show(.update(Self.club, ["name": .string("\(round)")]), in: nil)
      least.withLock { $0 = round }
      try await respond("\(round)", to: id, in: store)
    }
    isDone.withLock { $0 = true }
    #expect(try await reader.value)
  }

  @Test(arguments: StoreKind.allCases)
  func aCreatedObjectIsFoundAndReplaced(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(
      #"[{"id":"1","title":"b","vendor":"x"},{"id":"2","title":"d","vendor":"y"}]"#,
      as: Sample.Product.self, in: store)
    let changes = try store.changes(of: Sample.Product.self)
    let key = GraphQL.EntityKey(typeName: "Product", key: Graph.TemporaryKey.make().rawValue)
    let id = try store.show(
      [
        .create(key, ["title": "c", "vendor": "x"]),
        .update(GraphQL.EntityKey(typeName: "Product", key: "2"), ["title": "a"]),
      ], in: nil)
    let fetch = store.fetch(Sample.Product.self)
    #expect(try fetch.sorted(by: \.title).all().map(\.title) == ["a", "b", "c"])
    #expect(try fetch.filter(\.vendor == "x").all().map(\.title) == ["b", "c"])
    #expect(try fetch.filter(\.title == "d").exists() == false)
    #expect(try fetch.all().count == 3 && fetch.count() == 3)
    #expect(try store.counts() == ["Product": 3])
    #expect(try store.count(of: Sample.Product.self) == 3)
    var iterator = changes.makeAsyncIterator()
    let shown = try #require(await iterator.next())
    #expect(shown.inserted == [key] && shown.updated.map(\.key) == ["2"])
    #expect(shown.deleted.isEmpty && !shown.hasUnknown)

    try await respond(
      "n", to: id,
      updates: .create(
        GraphQL.EntityKey(typeName: "Product", key: "3"), ["title": "c", "vendor": "x"]), in: store)
    #expect(try store.object(Sample.Product.self, key: key.key) == nil)
    #expect(try fetch.sorted(by: \.title).all().map(\.id) == ["1", "3", "2"])
    let replaced = try #require(await iterator.next())
    #expect(replaced.inserted.map(\.key) == ["3"] && replaced.deleted == [key])
    #expect(replaced.updated.map(\.key) == ["2"])
  }

  /// A change of an object that is not stored has no effect until the object arrives.
  @Test(arguments: StoreKind.allCases)
  func anObjectThatArrivesUnderAChangeIsInserted(kind: StoreKind) async throws {
    let store = try kind.make()
    let club = Self.club
    _ = try store.show(.update(club, ["name": "x"]), in: nil)
    var changes = try store.changes(of: Sample.Club.self).makeAsyncIterator()
    try await write(#"{"id":"c","name":"a"}"#, as: Sample.Club.self, in: store)
    let arrived = try #require(await changes.next())
    #expect(arrived.inserted == [club] && arrived.updated.isEmpty && arrived.deleted.isEmpty)
    #expect(try name(store) == "x")
  }

  @Test(arguments: StoreKind.allCases)
  func inversesFollow(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: ["Club": Graph.TypePolicy(inverses: ["persons": "club"])]))
    try await write(
      #"[{"id":"c","persons":[{"id":"1"}]},{"id":"d","persons":[]}]"#, as: Sample.Club.self,
      in: store)
    func persons(_ club: String) throws -> [String] {
      try #require(try store.object(Sample.Club.self, key: club)).persons.map(\.id.rawValue)
    }
    let one = GraphQL.EntityKey(typeName: "Person", key: "1")
    let new = GraphQL.EntityKey(typeName: "Person", key: "new")
    let id = try store.show(
      [
        .create(new, ["name": "N", "club": ["id": "c"]]),
        .append(one, to: .list("persons", of: GraphQL.EntityKey(typeName: "Club", key: "d"))),
      ], in: nil)
    #expect(try persons("c") == ["new"] && persons("d") == ["1"])
    #expect(try store.object(Sample.Person.self, key: "1")?.club?.id == "d")
    // The server moves the new person's club on; the change stays on top.
    try await write(#"{"id":"c","persons":[{"id":"2"}]}"#, as: Sample.Club.self, in: store)
    #expect(try persons("c") == ["2", "new"] && persons("d") == ["1"])
    store.hide(id)
    #expect(try persons("c") == ["2"] && persons("d") == [])
    #expect(try store.object(Sample.Person.self, key: "1")?.club == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletionTakesTheObjectOutOfEveryList(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(
      #"{"id":"c","name":"R","captain":{"id":"p"},"persons":[{"id":"p","name":"A"},{"id":"q","name":"B"}]}"#,
      as: Sample.Club.self, in: store)
    let before = try store.text("Club:c")
    var states = try store.states(of: Sample.Club.self, key: "c").makeAsyncIterator()
    #expect(try await states.next()??.persons.count == 2)
    let id = try store.show(.delete(GraphQL.EntityKey(typeName: "Person", key: "p")), in: nil)
    #expect(try await states.next()??.persons.map(\.name) == ["B"])
    #expect(try store.object(Sample.Club.self, key: "c")?.captain == nil)
    #expect(try !store.contains(Sample.Person.self, key: "p"))
    #expect(try store.fetch(Sample.Person.self).all().map(\.name) == ["B"])
    #expect(try store.counts() == ["Club": 1, "Person": 1])
    // A list that arrives has the object until the server has deleted it.
    try await write(
      #"{"id":"d","name":"S","persons":[{"id":"p"},{"id":"q"}]}"#, as: Sample.Club.self, in: store)
    #expect(try store.object(Sample.Club.self, key: "d")?.persons.map(\.name) == ["B"])
    store.hide(id)
    #expect(try await states.next()??.persons.map(\.name) == ["A", "B"])
    #expect(try store.text("Club:c") == before)
  }

  @Test(arguments: StoreKind.allCases)
  func aLogoutEndsTheChange(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    let generation = store.generation
    let id = try store.show(.update(Self.club, ["name": "Knights"]), in: generation)
    try await store.logout()
    #expect(try name(store) == "Rooks")
    #expect(throws: GraphQL.StaleGeneration.self) {
      try store.show(.update(Self.club, ["name": "Bishops"]), in: generation)
    }
    await #expect(throws: GraphQL.StaleGeneration.self) {
      try await respond("Pawns", to: id, in: store, generation)
    }
    store.hide(id)
    #expect(try name(store) == "Rooks")
  }

  /// The records of an expected change are kept for a connection; a commit of another store replaces them.
  @Test func commitsOfAnotherStoreAreUnderTheChange() async throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file)
    let other = try Graph.Store(schema: Sample.schema, file: file)
    try await write(#"{"id":"c","name":"Rooks","motto":"a"}"#, as: Sample.Club.self, in: store)
    let id = try store.show(.update(Self.club, ["name": "Knights"]), in: nil)
    #expect(try store.object(Sample.Club.self, key: "c")?.motto == "a")
    try await write(#"{"id":"c","name":"Pawns","motto":"b"}"#, as: Sample.Club.self, in: other)
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(club.name == "Knights" && club.motto == "b")
    #expect(try name(other) == "Pawns")
    store.hide(id)
    #expect(try name(store) == "Pawns")
  }

  /// An object with an expected change is not evicted, however old it is.
  @Test func evictionKeepsTheObject() async throws {
    var configuration = Graph.Store.Configuration(sizeBudget: 64 << 10)
    let clock = Locked(Int64(1_000_000))
    configuration.now = { clock.withLock { $0 } }
    let store = try StoreKind.file.make(configuration)
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    _ = try store.show(.update(Self.club, ["name": "Knights"]), in: nil)
    let text = String(repeating: "x", count: 1000)
    for round in 0..<100 {
      clock.withLock { $0 += 1000 }
      let persons = (0..<10).map { #"{"id":"\#(round)-\#($0)","name":"\#(text)"}"# }
      try await write("[\(persons.joined(separator: ","))]", as: Sample.Person.self, in: store)
    }
    #expect(try store.count(of: Sample.Person.self) < 1000)
    #expect(try name(store) == "Knights")
  }

  @Test(arguments: StoreKind.allCases)
  func writersDoNotSeeTheChange(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    let id = try store.show(.update(Self.club, ["name": "Knights"]), in: nil)
    let seen = try await store.write { transaction in
      try transaction.object(Sample.Club.self, key: "c")?.name
    }
    #expect(seen == "Rooks")
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await store.write { transaction in
        transaction.endExpectedChange(id.number)
        throw Stop()
      }
    }
    #expect(try name(store) == "Knights")
  }

  /// An expected object has no age; the others have theirs.
  @Test(arguments: StoreKind.allCases)
  func onlyResponsesMakeObjectsFresh(kind: StoreKind) async throws {
    let clock = Locked(Int64(1_000_000))
    var configuration = Graph.Store.Configuration()
    configuration.now = { clock.withLock { $0 } }
    let store = try kind.make(configuration)
    let query = Sample.buildQuery { $0.products(first: 3) { $0.nodes { $0.id().title() } } }
    try await store.write(query, #"{"products":{"nodes":[{"id":"1","title":"a"}]}}"#)
    clock.withLock { $0 += 30_000 }
    let key = GraphQL.EntityKey(typeName: "Product", key: "new")
    _ = try store.show(
      [.create(key, ["title": "n"]), .prepend(key, to: .list(\Sample.Query.products))], in: nil)
    let operation = try query.operation()
    let stored = try #require(try store.response(to: operation, maximumAge: nil))
    #expect(stored.data.products.nodes.map(\.title) == ["n", "a"])
    #expect(stored.age == .seconds(30))
    clock.withLock { $0 += 31_000 }
    #expect(try store.response(to: operation, maximumAge: nil) == nil)
  }

  @Test(arguments: [
    (Graph.StoreChange.update(club, ["nme": "x"]), Graph.StoreError.Code.invalidJSON),
    (.create(club, ["name": 1]), .invalidJSON),
    (.update(["name": "x"]), .invalidChange),
    (.delete(GraphQL.EntityKey(typeName: "Place", key: "1")), .notAnEntity),
    (.append(club, to: .list("persons", of: club)), .invalidChange),
    (.append(club, to: .list("name", of: club)), .invalidChange),
    (.append(club, to: .list("nothing", of: club)), .invalidChange),
    (
      .append(
        GraphQL.EntityKey(typeName: "Person", key: "1"), to: .list("teams", of: club)),
      .invalidChange
    ),
    (.append(club, to: .list(\Sample.Club.persons)), .invalidChange),
    (
      .insert(
        GraphQL.EntityKey(typeName: "Person", key: "1"), into: .list("persons", of: club),
        orderedBy: "nothing"), .invalidChange
    ),
  ])
  func rejectsWhatTheSchemaDoesNotAllow(
    change: Graph.StoreChange, code: Graph.StoreError.Code
  ) async throws {
    let store = Graph.Store(inMemory: Sample.schema)
    try await write(#"{"id":"c","name":"Rooks","persons":[]}"#, as: Sample.Club.self, in: store)
    let error = #expect(throws: Graph.StoreError.self) { try store.show(change, in: nil) }
    #expect(error?.code == code)
    #expect(store.committed.isExpecting == false)
    let applied = await #expect(throws: Graph.StoreError.self) {
      try await store.write { try $0.apply(change) }
    }
    #expect(applied?.code == code)
    // The response is kept, although its updates cannot be applied.
    await #expect(throws: Graph.StoreError.self) {
      try await respond("Pawns", to: nil, updates: change, in: store)
    }
    #expect(try name(store) == "Pawns")
  }

  @Test func anObjectOfAResponseNamesItself() async throws {
    let store = Graph.Store(inMemory: Sample.schema)
    try await write(#"{"id":"c","name":"Rooks"}"#, as: Sample.Club.self, in: store)
    try await write(
      #"{"sku":"a","size":"b","stock":1}"#, as: Sample.Variant.self, in: store)
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    let variant = try #require(try store.fetch(Sample.Variant.self).first())
    _ = try store.show(
      [.update(club, ["name": "Knights"]), .update(variant, ["stock": 2])], in: nil)
    #expect(try name(store) == "Knights")
    #expect(try store.fetch(Sample.Variant.self).first()?.stock == 2)
    #expect(try variant._entityKey() == store.key(of: variant))
  }
}
