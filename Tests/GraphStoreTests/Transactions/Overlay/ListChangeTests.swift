import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Objects that are added to lists and connections, and removed from them: as an expected change of a client, as
/// one of a queued operation, and as the effect of a response.
@Suite struct ListChangeTests {
  enum Way: CaseIterable { case expected, queued, applied }

  /// Changes a store, and returns a function that takes the change back, if that is possible.
  private func change(
    _ change: Graph.StoreChange, _ way: Way, in store: Graph.Store
  ) async throws -> (() async throws -> Void)? {
    switch way {
    case .expected:
      let id = try store.show(change, in: nil)
      return { store.hide(id) }
    case .queued:
      try await store.write {
        try $0.overlay(change, on: GraphQL.EntityKey(typeName: "Club", key: "c"), by: 1)
      }
      return { try await store.write { try $0.removeOverlay(of: 1) } }
    case .applied:
      try await store.write { try $0.apply(change) }
      return nil
    }
  }

  private func product(_ id: String) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: "Product", key: id)
  }

  private func query(
    _ first: Int, after: String? = nil, search: String? = nil
  ) -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.products(first: first, after: after, query: search) {
        $0.edges { $0.cursor().node { $0.id().title() } }.nodes { $0.id() }
          .pageInfo { $0.hasNextPage().endCursor() }
      }
    }
  }

  /// Stores a page of products whose titles are their IDs.
  private func write(
    _ ids: String, after: String? = nil, first: Int = 2, next: Bool = true, search: String? = nil,
    in store: Graph.Store
  ) async throws {
    let edges = ids.map { #"{"cursor":"c\#($0)","node":{"id":"\#($0)","title":"\#($0)"}}"# }
    let nodes = ids.map { #"{"id":"\#($0)"}"# }
    try await store.write(
      query(first, after: after, search: search),
      #"""
      {"products":{"edges":[\#(edges.joined(separator: ","))],
      "nodes":[\#(nodes.joined(separator: ","))],
      "pageInfo":{"hasNextPage":\#(next),"endCursor":\#(ids.last.map { "\"c\($0)\"" } ?? "null")}}}
      """#)
  }

  private func read(
    _ first: Int, after: String? = nil, search: String? = nil, _ store: Graph.Store
  ) throws -> String? {
    let products = try store.read(query(first, after: after, search: search)).data?.products
    let edges = products?.edges.map(\.node.id.rawValue).joined()
    #expect(products?.nodes.map(\.id.rawValue).joined() == edges)
    return edges
  }

  private func all(_ store: Graph.Store) throws -> String {
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    return root.products.edges.map(\.node.id.rawValue).joined()
  }

  @Test(arguments: Way.allCases, StoreKind.allCases)
  func editsAConnection(way: Way, kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await write("bd", in: store)
    try await write("fh", after: "cd", next: false, in: store)
    let list = Graph.StoredList.list(\Sample.Query.products)
    let undo = try await change(
      [
        .create(product("z"), ["title": "z"]), .create(product("e"), ["title": "e"]),
        .create(product("a"), ["title": "a"]),
        .append(product("z"), to: list), .prepend(product("a"), to: list),
        .insert(product("e"), into: list, orderedBy: \Sample.Product.title),
        .remove(product("h"), from: list),
        // It is there already.
        .prepend(product("f"), to: list),
        // It does not exist.
        .append(product("nothing"), to: list),
      ], way, in: store)
    #expect(try all(store) == "abdefz")
    // An added node belongs to the page with the node before it.
    #expect(try read(2, store) == "abde")
    #expect(try read(2, after: "cd", store) == "fz")
    let page = try #require(try store.read(query(2)).data).products
    #expect(page.edges.map(\.cursor) == ["cb", "cb", "cd", "cd"])
    #expect(page.pageInfo.endCursor == "cd" && page.pageInfo.hasNextPage)
    guard let undo else { return }
    try await undo()
    #expect(try all(store) == "bdfh" && read(2, store) == "bd")
    #expect(try read(2, after: "cd", store) == "fh")
    #expect(try store.counts() == ["Query": 1, "Product": 4])
  }

  /// The last object of a page is removed, at whose cursor the next page begins.
  @Test(arguments: Way.allCases, StoreKind.allCases)
  func removesTheLastObjectOfAPage(way: Way, kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await write("ab", in: store)
    try await write("cd", after: "cb", in: store)
    try await write("ef", after: "cd", next: false, in: store)
    let list = Graph.StoredList.list(\Sample.Query.products)
    _ = try await change(
      [
        .remove(product("b"), from: list), .remove(product("c"), from: list),
        .remove(product("d"), from: list),
      ], way, in: store)
    #expect(try all(store) == "aef" && read(2, store) == "a")
    #expect(try read(2, after: "cb", store) == "" && read(2, after: "cd", store) == "ef")
    // A new first page leaves nothing of the old ones.
    try await store.write { try $0.removeOverlay(of: 1) }
    try await write("xy", next: false, in: store)
    #expect(try read(2, after: "cb", store) == nil && read(2, after: "cd", store) == nil)
  }

  /// A page of another size than the stored one has an added object once.
  @Test(arguments: StoreKind.allCases)
  func pagesOfOtherSizesHaveAnAddedObjectOnce(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await write("abcdef", first: 6, next: false, in: store)
    let list = Graph.StoredList.list(\Sample.Query.products)
    _ = try await change(
      [
        .create(product("x"), ["title": "bb"]), .create(product("z"), ["title": "z"]),
        .insert(product("x"), into: list, orderedBy: \Sample.Product.title),
        .append(product("z"), to: list),
      ], .applied, in: store)
    for first in 1...4 {
      var (found, cursor) = ("", String?.none)
      repeat {
        let page = try #require(try store.read(query(first, after: cursor)).data?.products)
        found += page.edges.map(\.node.id.rawValue).joined()
        cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : nil
      } while cursor != nil && found.count < 20
      #expect(found == "abxcdefz", "\(first)")
    }
  }

  /// The edits of an object's connection follow when the object gets its key.
  @Test(arguments: StoreKind.allCases)
  func editsFollowTheKeyOfTheirObject(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    let (old, new) = ("temporary-1", "k1")
    @Sendable func key(_ key: String) -> GraphQL.EntityKey {
      GraphQL.EntityKey(typeName: "Person", key: key)
    }
    try await store.write { transaction in
      try transaction.overlay(.create(key(old), ["name": "n"]), on: key(old), by: 1)
      try transaction.overlay(
        [
          .create(self.product("p"), ["title": "p"]),
          .append(self.product("p"), to: .list("favourites", of: key(old))),
        ], on: key(old), by: 2)
    }
    try await store.write { transaction in
      try transaction.rename(key(old), to: key(new))
      try transaction.removeOverlay(of: 1, isExecuted: true)
    }
    try await store.write(
      Sample.buildQuery {
        $0.person(id: GraphQL.ID(rawValue: new)) {
          $0.id().favourites(first: 2) { $0.nodes { $0.id() } }
        }
      }, #"{"person":{"id":"k1","favourites":{"nodes":[]}}}"#)
    let person = try #require(try store.object(Sample.Person.self, key: new))
    #expect(person.favourites?.nodes.map(\.id) == ["p"])
  }

  @Test(arguments: [Way.expected, .queued], StoreKind.allCases)
  func aPageThatArrivesIsUnderTheEdits(way: Way, kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    let list = Graph.StoredList.list(\Sample.Query.products)
    let undo = try await change(
      [
        .create(product("z"), ["title": "z"]), .append(product("z"), to: list),
        .remove(product("a"), from: list), .delete(product("c")),
      ], way, in: store)
    var states = try store.states(of: Sample.Query.self, key: "", connection: \.products)
      .makeAsyncIterator()
    #expect(try #require(try await states.next()) == nil)
    try await write("ab", in: store)
    #expect(try await states.next()??.edges.map(\.node.id) == ["b", "z"])
    try await write("cd", after: "cb", in: store)
    #expect(try all(store) == "bdz")
    // The server has the added object now.
    try await write("ez", after: "cd", next: false, in: store)
    #expect(try all(store) == "bdez")
    try await write("za", first: 3, in: store)
    #expect(try all(store) == "z")
    try await undo?()
    #expect(try all(store) == "za")
  }

  @Test(arguments: Way.allCases)
  func argumentsSelectConnections(way: Way) async throws {
    let store = try await StoreKind.file.makeWithOverlays()
    for search in [nil, "x", "y"] { try await write("a", next: false, search: search, in: store) }
    func shown(
      _ arguments: Graph.StoredList.Arguments
    ) async throws -> [String?] {
      let store = try await StoreKind.file.makeWithOverlays()
      for search in [nil, "x", "y"] { try await write("a", next: false, search: search, in: store) }
      _ = try await change(
        [
          .create(product("n"), ["title": "n"]),
          .append(product("n"), to: .list(\Sample.Query.products, arguments: arguments)),
        ], way, in: store)
      // It arrives after an expected change.
      try await write("a", next: false, search: "x2", in: store)
      return try [nil, "x", "y", "x2"].map { try read(2, search: $0, store) }
    }
    let later = way == .applied ? "a" : "an"
    #expect(try await shown([:]) == ["an", "a", "a", "a"])
    #expect(try await shown(["query": "x"]) == ["a", "an", "a", "a"])
    #expect(try await shown(.containing(["query": "x"])) == ["a", "an", "a", "a"])
    #expect(try await shown(.all) == ["an", "an", "an", later])
    #expect(try await shown(["query": "x2"]) == ["a", "a", "a", later])
  }

  @Test(arguments: Way.allCases, StoreKind.allCases)
  func editsAListOfARecord(way: Way, kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    try await store.write(
      json: Array(
        #"{"id":"c","persons":[{"id":"1","age":1,"name":"A"},{"id":"3","age":3,"name":"C"}]}"#.utf8),
      as: Sample.Club.self)
    try await store.write(
      json: Array(#"[{"id":"2","age":2},{"id":"4","age":4}]"#.utf8), as: Sample.Person.self)
    let before = try store.text("Club:c")
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    let list = Graph.StoredList.list(\Sample.Club.persons, of: club)
    func person(_ id: String) -> GraphQL.EntityKey {
      GraphQL.EntityKey(typeName: "Person", key: id)
    }
    let undo = try await change(
      [
        .insert(person("2"), into: list, orderedBy: \Sample.Person.age),
        .prepend(person("4"), to: list), .remove(person("1"), from: list),
        .append(person("2"), to: list), .append(person("nobody"), to: list),
      ], way, in: store)
    func persons() throws -> [String] {
      try #require(try store.object(Sample.Club.self, key: "c")).persons.map(\.id.rawValue)
    }
    #expect(try persons() == ["4", "2", "3"])
    guard let undo else { return }
    try await store.write(
      json: Array(#"{"id":"c","persons":[{"id":"3"},{"id":"1"}]}"#.utf8), as: Sample.Club.self)
    #expect(try persons() == ["4", "2", "3"])
    try await undo()
    #expect(try persons() == ["3", "1"])
    #expect(before != nil)
  }

  @Test func theNextPageOfTheServerReplacesAnAppliedChange() async throws {
    let store = try StoreKind.file.make()
    try await write("ab", in: store)
    try await write("cd", after: "cb", next: false, in: store)
    let list = Graph.StoredList.list(\Sample.Query.products)
    try await store.write {
      try $0.apply([
        .create(GraphQL.EntityKey(typeName: "Product", key: "n"), ["title": "n"]),
        .append(GraphQL.EntityKey(typeName: "Product", key: "n"), to: list),
        .remove(GraphQL.EntityKey(typeName: "Product", key: "b"), from: list),
      ])
    }
    #expect(try all(store) == "acdn")
    // The cursor of a removed node still has its place for the pages after it.
    try await write("ef", after: "cd", next: false, in: store)
    #expect(try all(store) == "acdnef")
    try await write("ab", in: store)
    #expect(try all(store) == "ab")
  }

  @Test func anEmptyListGetsItsFirstNode() async throws {
    for way in Way.allCases {
      let store = try await StoreKind.file.makeWithOverlays()
      try await write("", next: false, in: store)
      _ = try await change(
        [
          .create(product("n"), ["title": "n"]),
          .insert(product("n"), into: .list(\Sample.Query.products), orderedBy: "title"),
        ], way, in: store)
      #expect(try read(2, store) == "n" && all(store) == "n")
      #expect(try store.read(query(2)).data?.products.edges.first?.cursor == "")
    }
  }

  /// A list that a queued operation has changed is read after the file is opened again.
  @Test func theEditsOfQueuedOperationsStayInTheFile() async throws {
    let file = try TemporaryFolder().file()
    let policies = ["Club": Graph.TypePolicy(inverses: ["persons": "club"])]
    let club = GraphQL.EntityKey(typeName: "Club", key: "c")
    let new = GraphQL.EntityKey(typeName: "Person", key: "n")
    do {
      let store = try Graph.Store(
        schema: Sample.schema, file: file, configuration: .init(policies: policies))
      try await store.write { try $0.createOverlayTables() }
      try await write("ab", in: store)
      try await store.write(
        json: Array(#"{"id":"c","persons":[{"id":"1","name":"A"}]}"#.utf8), as: Sample.Club.self)
      try await store.write { transaction in
        try transaction.overlay(
          [
            .create(["name": "N", "club": ["id": "c"]]),
            .remove(
              GraphQL.EntityKey(typeName: "Product", key: "a"), from: .list("products", of: root)),
            .prepend(new, to: .list("persons", of: club)),
          ], on: new, by: 3)
      }
    }
    let store = try Graph.Store(
      schema: Sample.schema, file: file, configuration: .init(policies: policies))
    #expect(try all(store) == "b")
    var persons: [String] {
      get throws {
        try #require(try store.object(Sample.Club.self, key: "c")).persons.map(\.id.rawValue)
      }
    }
    #expect(try persons == ["1", "n"])
    try await store.write(
      json: Array(#"{"id":"c","persons":[{"id":"2"}]}"#.utf8), as: Sample.Club.self)
    #expect(try persons == ["2", "n"])
    try await store.write { transaction in
      let real = GraphQL.EntityKey(typeName: "Person", key: "real")
      try transaction.rename(new, to: real)
    }
    #expect(try persons == ["2", "real"])
    try await store.write { try $0.removeOverlay(of: 3) }
    #expect(try persons == ["2"] && all(store) == "ab")
    #expect(try store.rows("SELECT entity FROM overlay_base", []) { $0.text(0) } == [])
    #expect(try store.rows("SELECT entity FROM overlay_patch", []) { $0.text(0) } == [])
  }

  private var root: GraphQL.EntityKey { GraphQL.EntityKey(typeName: "Query", key: "") }
}
