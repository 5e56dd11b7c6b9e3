import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct EvictionTests {
  private static let motto = String(repeating: "m", count: 1000)

  /// A store with a clock of its own, and a budget for about 200 clubs.
  private func store(
    _ budget: Int = 300_000, _ policies: [String: Graph.TypePolicy] = [:]
  ) throws -> (Graph.Store, Locked<Int64>) {
    let seconds = Locked<Int64>(1000)
    var configuration = Graph.Store.Configuration(policies: policies, sizeBudget: budget)
    configuration.now = { seconds.withLock { $0 * 1000 } }
    return (try StoreKind.file.make(configuration), seconds)
  }

  private func write(
    _ keys: Range<Int>, to store: Graph.Store,
    as type: GraphQL.AbstractResponse.Type = Sample.Club.self
  ) async throws {
    let field = type == Sample.Club.self ? "motto" : "title"
    let objects = keys.map { "{\"id\":\"\($0)\",\"\(field)\":\"\(Self.motto)\"}" }
    try await store.write(json: Array("[\(objects.joined(separator: ","))]".utf8), as: type)
  }

  /// Returns when the file is within its budget or a cycle has ended, so that no work is left.
  private func settle(_ store: Graph.Store) async throws {
    var sizes: [Int] = []
    while sizes.count < 2 || sizes[sizes.count - 1] != sizes[sizes.count - 2] {
      // An item on the writer's queue comes after the step that was queued before it. A cycle reads all rows, 256 in a
      // step, before it deletes any.
      for _ in 0..<40 { try await store.write { _ in } }
      sizes.append(try await store.write { try $0.connection?.usedBytes() ?? 0 })
    }
  }

  @Test func keepsTheFileWithinItsBudget() async throws {
    let (store, clock) = try store()
    for round in 0..<20 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
    }
    try await settle(store)
    let size = try await store.write { try $0.connection?.usedBytes() ?? 0 }
    #expect(size <= 300_000)
    let count = try store.count(of: Sample.Club.self)
    #expect(count > 50 && count < 250)
    // The newest rows are still there.
    #expect(try store.contains(Sample.Club.self, key: "1999"))
    #expect(try store.contains(Sample.Club.self, key: "0") == false)
  }

  @Test func keepsRecentlyReadObjects() async throws {
    let (store, clock) = try store()
    try await write(0..<150, to: store)
    clock.withLock { $0 += 10 }
    for key in 0..<20 { _ = try store.object(Sample.Club.self, key: "\(key)") }
    clock.withLock { $0 -= 5 }
    try await write(150..<260, to: store)
    try await settle(store)
    #expect(try store.count(of: Sample.Club.self) < 260)
    for key in 0..<20 { #expect(try store.contains(Sample.Club.self, key: "\(key)")) }
    #expect(try store.contains(Sample.Club.self, key: "100") == false)
  }

  /// A list would lose it, as an edit adds only an object that is stored.
  @Test func keepsObjectsThatAQueuedEditInserts() async throws {
    let (store, clock) = try store()
    try await store.write {
      _ = try $0.createOverlayTables()
      let list = Graph.StoredList.list("clubs", of: GraphQL.EntityKey(typeName: "Query", key: ""))
      try $0.overlay(
        .append(GraphQL.EntityKey(typeName: "Club", key: "7"), to: list),
        on: GraphQL.EntityKey(typeName: "Club", key: "7"), by: 1)
    }
    for round in 0..<4 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
    }
    try await settle(store)
    #expect(try store.contains(Sample.Club.self, key: "6") == false)
    #expect(try store.contains(Sample.Club.self, key: "7"))
    try await store.write { try $0.removeOverlay(of: 1) }
    for round in 4..<8 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
    }
    try await settle(store)
    #expect(try store.contains(Sample.Club.self, key: "7") == false)
  }

  @Test func evictsExpiredObjectsFirst() async throws {
    let (store, clock) = try store(
      300_000,
      [
        "Club": Graph.TypePolicy(maximumAge: .seconds(10)),
        "Product": Graph.TypePolicy(queryable: []),
      ])
    try await write(0..<50, to: store, as: Sample.Product.self)
    clock.withLock { $0 += 1 }
    try await write(0..<100, to: store)
    clock.withLock { $0 += 20 }
    try await write(100..<200, to: store)
    try await settle(store)
    #expect(try store.count(of: Sample.Product.self) == 50)
    #expect(try store.count(of: Sample.Club.self) < 200)
    #expect(try store.contains(Sample.Club.self, key: "199"))
  }

  @Test func evictsObjectsWithTimestampsInTheFutureFirst() async throws {
    let (store, clock) = try store()
    try await write(0..<100, to: store)
    clock.withLock { $0 -= 900 }
    try await write(100..<250, to: store)
    try await settle(store)
    #expect(try store.contains(Sample.Club.self, key: "0") == false)
    #expect(try store.contains(Sample.Club.self, key: "249"))
    #expect(try store.count(of: Sample.Club.self) < 250)
  }

  @Test func keepsPinnedAndObservedObjectsWithTheirLinks() async throws {
    let (store, clock) = try store()
    try await store.write(
      json: Array(
        #"{"id":"p","name":"Pin","club":{"id":"c","name":"C","captain":{"id":"q","name":"Q"}}}"#
          .utf8),
      as: Sample.Person.self)
    try await store.write(
      json: Array(#"[{"id":"o","name":"O"},{"id":"x","name":"X"}]"#.utf8), as: Sample.Person.self)
    let pin = try store.pin(Sample.Person.self, key: "p")
    var states = try store.states(of: Sample.Person.self, key: "o").makeAsyncIterator()
    _ = try await states.next()
    for round in 0..<5 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
      try await settle(store)
    }
    for key in ["p", "q", "o"] { #expect(try store.contains(Sample.Person.self, key: key)) }
    #expect(try store.contains(Sample.Club.self, key: "c"))
    #expect(try store.contains(Sample.Person.self, key: "x") == false)
    withExtendedLifetime(pin) {}
  }

  private func list(_ text: String, after: String? = nil) -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.products(first: 2, after: after, query: text) {
        $0.edges { $0.cursor().node { $0.id().title() } }.pageInfo { $0.endCursor() }
      }
    }
  }

  /// A page of two products with long titles.
  private func page(_ ids: [String]) -> String {
    let edges = ids.map {
      #"{"cursor":"c\#($0)","node":{"id":"\#($0)","title":"\#(Self.motto)"}}"#
    }
    return #"""
      {"products":{"edges":[\#(edges.joined(separator: ","))],
      "pageInfo":{"endCursor":"c\#(ids[1])"}}}
      """#
  }

  private func rows(_ typeName: String, in store: Graph.Store) throws -> Int {
    try store.committed.withSnapshot { snapshot throws(Graph.StoreError) in
      try snapshot.count(ofType: typeName)
    }
  }

  @Test func evictsAConnectionAsAWhole() async throws {
    let (store, clock) = try store()
    for search in 0..<200 {
      clock.withLock { $0 += 1 }
      try await store.write(list("\(search)"), page(["\(search)a", "\(search)b"]))
      try await store.write(
        list("\(search)", after: "c\(search)b"), page(["\(search)c", "\(search)d"]))
    }
    try await settle(store)
    // One head, two pages and two cursors each.
    let rows = try rows("Query.products", in: store)
    #expect(rows > 0 && rows < 200 * 5 && rows % 5 == 0)
    let newest = list("199", after: "c199b")
    #expect(try store.read(newest).data?.products.edges.map(\.node.id) == ["199c", "199d"])
    #expect(try store.read(list("0")).missingText == ["products"])
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    #expect(throws: GraphQL.MissingField.self) {
      try root.value(\.products, arguments: ["query": "0"])
    }
    // It can be stored again like any other.
    try await store.write(list("0"), page(["0a", "0b"]))
    #expect(try store.read(list("0")).data?.products.edges.map(\.node.id) == ["0a", "0b"])
  }

  @Test func theNodesOfAnObservedConnectionStay() async throws {
    let (store, clock) = try store()
    try await store.write(list("seen"), page(["a", "b"]))
    try await store.write(list("seen", after: "cb"), page(["c", "d"]))
    try await store.write(list("other"), page(["x", "y"]))
    var states = try store.states(
      of: Sample.Query.self, key: "", connection: \.products, arguments: ["query": "seen"]
    ).makeAsyncIterator()
    #expect(try await states.next()??.edges.count == 4)
    for round in 0..<5 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
      try await settle(store)
    }
    for key in ["a", "b", "c", "d"] { #expect(try store.contains(Sample.Product.self, key: key)) }
    #expect(try store.contains(Sample.Product.self, key: "x") == false)
    #expect(try store.read(list("seen", after: "cb")).missing.isEmpty)
    #expect(try rows("Query.products", in: store) == 5)
  }

  @Test func aPinnedObjectsConnectionStaysWithItsNodes() async throws {
    let (store, clock) = try store()
    let query = Sample.buildQuery {
      $0.person(id: "p") { $0.id().favourites(first: 9) { $0.nodes { $0.id().title() } } }
    }
    try await store.write(
      query, #"{"person":{"id":"p","favourites":{"nodes":[{"id":"a","title":"A"}]}}}"#)
    let pin = try store.pin(Sample.Person.self, key: "p")
    for round in 0..<5 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
      try await settle(store)
    }
    #expect(try store.read(query).data?.person?.favourites?.nodes.map(\.title) == ["A"])
    withExtendedLifetime(pin) {}
  }

  @Test func aQueryWhoseObjectsWereEvictedIsIncomplete() async throws {
    let (store, clock) = try store()
    let query = Sample.buildQuery { $0.club(id: "a") { $0.id().name() } }
    try await store.write(query, #"{"club":{"id":"a","name":"A"}}"#)
    for round in 0..<5 {
      clock.withLock { $0 += 1 }
      try await write(round * 100..<(round + 1) * 100, to: store)
    }
    try await settle(store)
    #expect(try store.read(query).data == nil)
    #expect(try store.read(query).missingText == ["club"])
  }

  @Test func limitsTheDeletionsPerStep() async throws {
    let statements = Locked<[String]>([])
    var configuration = Graph.Store.Configuration(sizeBudget: 300_000)
    configuration.recorder = { event in
      if case .run(let sql) = event { statements.withLock { $0.append(sql) } }
    }
    let store = try StoreKind.file.make(configuration)
    try await write(0..<2000, to: store)
    try await settle(store)
    let transactions = statements.withLock { $0.split(separator: SQL.beginImmediate.text) }
    let most = transactions.dropFirst(2).map { $0.filter { $0 == SQL.deleteRecord.text }.count }
      .max()
    #expect((most ?? 0) > 0)
    #expect((most ?? 0) <= EvictionCycle.stepSize)
  }
}
