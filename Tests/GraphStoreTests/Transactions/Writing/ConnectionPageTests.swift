import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct ConnectionPageTests {
  /// The arguments for a page of the list a, b, c, …
  struct Requested {
    var first: Int?
    var after: String?
    var last: Int?
    var before: String?

    var query: Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(first: first, after: after, last: last, before: before) {
          $0.edges { $0.cursor().node { $0.id() } }
            .pageInfo { $0.hasNextPage().hasPreviousPage().startCursor().endCursor() }
        }
      }
    }
  }

  private static func page(_ ids: String, next: Bool, previous: Bool = false) -> String {
    let edges = ids.map { #"{"cursor":"c\#($0)","node":{"id":"\#($0)"}}"# }
    func cursor(_ id: Character?) -> String { id.map { "\"c\($0)\"" } ?? "null" }
    return #"""
      {"products":{"edges":[\#(edges.joined(separator: ","))],"pageInfo":{"hasNextPage":\#(next),
      "hasPreviousPage":\#(previous),"startCursor":\#(cursor(ids.first)),
      "endCursor":\#(cursor(ids.last))}}}
      """#
  }

  private func write(
    _ store: Graph.Store, _ requested: Requested, _ ids: String, next: Bool = true,
    previous: Bool = false
  ) async throws {
    try await store.write(requested.query, Self.page(ids, next: next, previous: previous))
  }

  /// All nodes from the beginning, as an object of the store reads them.
  private func all(_ store: Graph.Store) throws -> String {
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    return root.products.edges.map(\.node.id.rawValue).joined()
  }

  /// The nodes of a page; nil if it is not in the store.
  private func read(_ store: Graph.Store, _ requested: Requested) throws -> String? {
    try store.read(requested.query).data.map { $0.products.edges.map(\.node.id.rawValue).joined() }
  }

  @Test(arguments: StoreKind.allCases)
  func appendsAPageAfterItsCursor(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cb"), "cd", previous: true)
    try await write(store, Requested(first: 2, after: "cd"), "e", next: false, previous: true)
    #expect(try all(store) == "abcde")
    #expect(try read(store, Requested(first: 2)) == "ab")
    #expect(try read(store, Requested(first: 2, after: "cb")) == "cd")
    #expect(try read(store, Requested(first: 2, after: "cd")) == "e")
    // Pages of other sizes, and from inside a page, if all nodes are there.
    #expect(try read(store, Requested(first: 3)) == "abc")
    #expect(try read(store, Requested(first: 3, after: "ca")) == "bcd")
    #expect(try read(store, Requested(first: 9)) == "abcde")
    #expect(try read(store, Requested(first: 9, after: "ce")) == "")
    #expect(try read(store, Requested()) == "abcde")
    #expect(try read(store, Requested(last: 2, before: "cd")) == "bc")
    #expect(try store.counts() == ["Query": 1, "Product": 5])
  }

  // The list has changed on the server between two requests.

  @Test func aLastPageHasNoOldPagesAfterIt() async throws {
    let store = try StoreKind.memory.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cd"), "ef")
    try await write(store, Requested(first: 2, after: "cb"), "cd", next: false)
    #expect(try all(store) == "abcd")
    let last = try store.read(Requested(first: 2, after: "cb").query).data?.products
    #expect(last?.pageInfo.hasNextPage == false)
    #expect(try read(store, Requested(first: 2, after: "cd")) == "")
  }

  @Test func aPageWithAMovedNodeIsRequestedAgain() async throws {
    let store = try StoreKind.memory.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cb"), "cd")
    try await write(store, Requested(first: 2, after: "cb"), "ac")
    #expect(try all(store) == "ab")
    #expect(try read(store, Requested(first: 2, after: "cb")) == nil)
  }

  @Test func theStartOfTheListStays() async throws {
    let store = try StoreKind.memory.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cd"), "ef")
    try await write(store, Requested(first: 2, after: "cf"), "bg")
    #expect(try all(store) == "ab")
    #expect(try read(store, Requested(first: 2)) == "ab")
    #expect(try read(store, Requested(first: 2, after: "cd")) == nil)
  }

  @Test func theSameFirstPageUpdatesTheEndOfTheList() async throws {
    let store = try StoreKind.memory.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cb"), "", next: false)
    #expect(try read(store, Requested(first: 2, after: "cb")) == "")
    try await write(store, Requested(first: 2), "ab")
    #expect(try read(store, Requested(first: 2, after: "cb")) == nil)
    #expect(try read(store, Requested(first: 9)) == nil)
  }

  /// A list begins again, also if its first node is another one.
  @Test func aRepeatedStartIsNotAdded() async throws {
    let store = try StoreKind.memory.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cb"), "cd")
    try await write(store, Requested(first: 2, after: "cd"), "xa")
    #expect(try all(store) == "abcd")
    try await write(store, Requested(last: 2), "yz", next: false, previous: true)
    try await write(store, Requested(last: 2, before: "cy"), "yz", next: false, previous: true)
    #expect(try all(store) == "yz")
  }

  /// A list may contain an object twice.
  @Test(arguments: [false, true]) func aNodeMayBeThereTwice(hasEdges: Bool) async throws {
    let store = try StoreKind.memory.make()
    func query(_ cursor: String?) -> Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(first: 2, after: cursor) {
          if hasEdges { $0.edges { $0.cursor().node { $0.id() } } } else { $0.nodes { $0.id() } }
          $0.pageInfo { $0.endCursor() }
        }
      }
    }
    func page(_ ids: [String], _ start: Int) -> String {
      let list = ids.enumerated().map { position, id in
        hasEdges
          ? #"{"cursor":"\#(start + position)","node":{"id":"\#(id)"}}"# : #"{"id":"\#(id)"}"#
      }
      return #"{"products":{"\#(hasEdges ? "edges" : "nodes")":[\#(list.joined(separator: ","))],"#
        + #""pageInfo":{"endCursor":"\#(start + ids.count - 1)"}}}"#
    }
    try await store.write(query(nil), page(["a", "b"], 1))
    try await store.write(query("2"), page(["a", "c"], 3))
    let products = try #require(try store.object(Sample.Query.self, key: "")).products
    let ids = hasEdges ? products.edges.map(\.node.id) : products.nodes.map(\.id)
    #expect(ids == ["a", "b", "a", "c"])
  }

  @Test(arguments: StoreKind.allCases)
  func reportsWhetherThereAreMorePages(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(first: 3), "abc")
    let part = try #require(try store.read(Requested(first: 2).query).data).products.pageInfo
    #expect(part.hasNextPage && !part.hasPreviousPage && part.endCursor == "cb")
    // There may be more than three nodes, and the store has three.
    #expect(try read(store, Requested(first: 4)) == nil)
    #expect(try read(store, Requested(first: 4, after: "cc")) == nil)
    let whole = try #require(try store.object(Sample.Query.self, key: "")).products.pageInfo
    #expect(whole.hasNextPage && whole.startCursor == "ca" && whole.endCursor == "cc")
  }

  @Test(arguments: StoreKind.allCases)
  func prependsAPageBeforeItsCursor(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(last: 2), "de", next: false, previous: true)
    try await write(store, Requested(last: 2, before: "cd"), "bc", previous: true)
    try await write(store, Requested(last: 2, before: "cb"), "a")
    #expect(try all(store) == "abcde")
    #expect(try read(store, Requested(last: 2)) == "de")
    #expect(try read(store, Requested(last: 2, before: "cd")) == "bc")
    #expect(try read(store, Requested(last: 9)) == "abcde")
    #expect(try read(store, Requested(last: 3, before: "ce")) == "bcd")
    #expect(try read(store, Requested(last: 2, before: "ca")) == "")
  }

  /// The node at whose cursor a page ends is deleted.
  @Test(arguments: StoreKind.allCases)
  func readsThePageBeforeADeletedNode(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(last: 2), "de", next: false, previous: true)
    try await write(store, Requested(last: 2, before: "cd"), "bc", previous: true)
    try await store.write { try $0.delete(Sample.Product.self, key: "d") }
    #expect(try read(store, Requested(last: 2)) == "e")
    #expect(try read(store, Requested(last: 2, before: "cd")) == "bc")
  }

  @Test(arguments: StoreKind.allCases)
  func keepsASegmentThatDoesNotAdjoin(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cf"), "gh", previous: true)
    #expect(try all(store) == "ab")
    #expect(try read(store, Requested(first: 2, after: "cf")) == "gh")
    try await write(store, Requested(first: 2, after: "cb"), "cd", previous: true)
    #expect(try all(store) == "abcd")
    // The page between them joins the two segments.
    try await write(store, Requested(first: 2, after: "cd"), "ef", previous: true)
    #expect(try all(store) == "abcdefgh")
    #expect(try read(store, Requested(first: 3, after: "ce")) == "fgh")
  }

  @Test(arguments: StoreKind.allCases)
  func aChangedFirstPageReplacesTheList(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(first: 2), "ab")
    try await write(store, Requested(first: 2, after: "cb"), "cd")
    // The same first page changes nothing.
    try await write(store, Requested(first: 2), "ab")
    #expect(try all(store) == "abcd")
    try await write(store, Requested(first: 2), "xa")
    #expect(try all(store) == "xa")
    #expect(try read(store, Requested(first: 2, after: "cb")) == nil)
    // A list without page information, and with a null as a cursor.
    try await store.write(
      Requested(first: 1).query,
      #"{"products":{"edges":[{"cursor":"cy","node":{"id":"y"}}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":null,"endCursor":null}}}"#
    )
    try await write(store, Requested(first: 1, after: "cy"), "z")
    #expect(try all(store) == "yz")
    try await write(store, Requested(first: 1), "y")
    #expect(try all(store) == "yz")
    try await write(store, Requested(first: 1), "y", next: false)
    #expect(try all(store) == "y")
  }

  /// A request for the nodes after a null cursor starts at the beginning; one for those before it,
  /// at the end.
  @Test(arguments: StoreKind.allCases)
  func aNullCursorIsAnEndOfTheList(kind: StoreKind) async throws {
    let store = try kind.make()
    func query(first: Int? = nil, last: Int? = nil, _ nulls: String...) -> Sample.QueryQuery {
      Sample.buildQuery { query in
        for name in nulls { query.null(name) }
        query.products(first: first, last: last) {
          $0.edges { $0.cursor().node { $0.id() } }
            .pageInfo { $0.hasNextPage().hasPreviousPage().startCursor().endCursor() }
        }
      }
    }
    try await write(store, Requested(first: 2), "xy")
    try await store.write(
      query(first: 2, "after", "last", "before"), Self.page("ab", next: true))
    #expect(try all(store) == "ab")
    try await write(store, Requested(first: 2, after: "cb"), "cd")
    #expect(try read(store, Requested(first: 4)) == "abcd")
    let again = try store.read(query(first: 3, "after"))
    #expect(again.data?.products.edges.map(\.node.id.rawValue) == ["a", "b", "c"])
    try await store.write(
      query(last: 2, "before"), Self.page("yz", next: false, previous: true))
    #expect(try read(store, Requested(last: 2)) == "yz")
  }

  /// Cursors that are null as far as the schema allows it: no page can continue such a page.
  @Test(arguments: StoreKind.allCases)
  func keepsPagesWithoutCursorsSeparate(kind: StoreKind) async throws {
    let store = try kind.make()
    func query(_ after: String?) -> Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(first: 1, after: after) {
          $0.nodes { $0.id() }.pageInfo { $0.hasNextPage().startCursor().endCursor() }
        }
      }
    }
    func data(_ id: String) -> String {
      #"""
      {"products":{"nodes":[{"id":"\#(id)"}],
      "pageInfo":{"hasNextPage":true,"startCursor":null,"endCursor":null}}}
      """#
    }
    try await store.write(query(nil), data("a"))
    try await store.write(query("ca"), data("b"))
    try await store.write(query("cb"), data("c"))
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    #expect(root.products.nodes.map(\.id) == ["a"])
    #expect(try store.read(query("ca")).data?.products.nodes.map(\.id) == ["b"])
    #expect(try store.read(query("cb")).data?.products.nodes.map(\.id) == ["c"])
    #expect(try store.read(query("cc")).data == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func mergesOverlappingAndRepeatedPages(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(first: 3), "abc")
    try await write(store, Requested(first: 3, after: "cb"), "cde")
    #expect(try all(store) == "abcde")
    try await write(store, Requested(first: 3, after: "cb"), "cde")
    #expect(try all(store) == "abcde")
    try await write(store, Requested(first: 2, after: "ca"), "xc")
    #expect(try all(store) == "axcde")
    // It does not lead back to the stored nodes.
    try await write(store, Requested(first: 2, after: "cx"), "yz")
    #expect(try all(store) == "axyz")
    try await write(store, Requested(last: 2, before: "cy"), "wx")
    #expect(try all(store) == "wxyz")
    // The list has become shorter.
    try await write(store, Requested(first: 2, after: "cx"), "", next: false)
    #expect(try all(store) == "wx")
    #expect(try read(store, Requested(first: 2, after: "cx")) == "")
    // A page that ends at the beginning of a segment.
    try await write(store, Requested(first: 2, after: "c1"), "2w")
    #expect(try read(store, Requested(first: 3, after: "c1")) == "2wx")
  }

  @Test(arguments: StoreKind.allCases)
  func storesAnEmptyList(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, Requested(first: 2), "", next: false)
    #expect(try read(store, Requested(first: 2)) == "")
    #expect(try all(store) == "")
    try await write(store, Requested(first: 2), "a", next: false)
    try await write(store, Requested(first: 2, after: "ca"), "", next: false)
    #expect(try all(store) == "a")
  }

  @Test(arguments: StoreKind.allCases)
  func mergesPagesOfNodesWithoutEdges(kind: StoreKind) async throws {
    let store = try kind.make()
    func query(_ after: String?) -> Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(first: 1, after: after) {
          $0.nodes { $0.id() }.totalCount().pageInfo { $0.endCursor() }
        }
      }
    }
    func data(_ id: String, _ count: Int) -> String {
      #"""
      {"products":{"nodes":[{"id":"\#(id)"}],"totalCount":\#(count),
      "pageInfo":{"endCursor":"c\#(id)"}}}
      """#
    }
    try await store.write(query(nil), data("a", 2))
    try await store.write(query("ca"), data("b", 3))
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    #expect(root.products.nodes.map(\.id) == ["a", "b"])
    #expect(root.products.totalCount == 3)
    #expect(try store.read(query("ca")).data?.products.nodes.map(\.id) == ["b"])
  }

  @Test(arguments: StoreKind.allCases)
  func otherArgumentsIdentifyAnotherConnection(kind: StoreKind) async throws {
    let store = try kind.make()
    func query(_ text: String, after: String? = nil) -> Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(first: 1, after: after, query: text) {
          $0.edges { $0.cursor().node { $0.id() } }
        }
      }
    }
    func data(_ id: String) -> String {
      #"{"products":{"edges":[{"cursor":"c\#(id)","node":{"id":"\#(id)"}}]}}"#
    }
    try await write(store, Requested(first: 2), "ab")
    try await store.write(query("x"), data("b"))
    try await store.write(query("x", after: "cb"), data("q"))
    #expect(try all(store) == "ab")
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    let found = try root.value(\.products, arguments: ["query": "x"])
    #expect(found.edges.map(\.node.id) == ["b", "q"])
    #expect(throws: GraphQL.MissingField.self) {
      try root.value(\.products, arguments: ["query": "y"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func deletingNodesOrTheOwnerUpdatesTheConnection(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.person(id: "p") {
        $0.id().favourites(first: 9) { $0.edges { $0.cursor().node { $0.id() } } }
      }
    }
    try await store.write(
      query,
      #"""
      {"person":{"id":"p","favourites":{"edges":[{"cursor":"c1","node":{"id":"1"}},
      {"cursor":"c2","node":{"id":"2"}}]}}}
      """#)
    try await store.write { try $0.delete(Sample.Product.self, key: "1") }
    let person = try #require(try store.object(Sample.Person.self, id: "p"))
    #expect(person.favourites?.edges.map(\.node.id) == ["2"])
    try await store.write { try $0.delete(Sample.Person.self, key: "p") }
    let left = try store.committed.withSnapshot { snapshot throws(Graph.StoreError) in
      var count = 0
      try snapshot.forEachRecord(ofType: "Person.favourites") { _, _ throws(Graph.StoreError) in
        count += 1
        return true
      }
      return count
    }
    #expect(left == 0)
  }

  @Test func connectionsOfATransientOwnerAreNotWritten() async throws {
    let folder = try TemporaryFolder()
    let query = Sample.buildQuery {
      $0.checkout(id: "k") { $0.id().offers(first: 9) { $0.edges { $0.cursor() } } }
    }
    let store = try Graph.Store(schema: Sample.schema, file: folder.file())
    try await store.write(
      query, #"{"checkout":{"id":"k","offers":{"edges":[{"cursor":"3f1c-never"}]}}}"#)
    #expect(try store.read(query).missing.isEmpty)
    try await store.logout()
    #expect(try store.counts() == [:])
    let inspector = try Graph.StoreInspector(file: folder.file())
    #expect(try inspector.counts().allSatisfy { $0.typeName != "Checkout.offers" })
  }

  @Test(arguments: StoreKind.allCases)
  func rollingBackATransactionRemovesItsPage(kind: StoreKind) async throws {
    let store = try kind.make()
    struct Stop: Error {}
    try await write(store, Requested(first: 2), "ab")
    let requested = Requested(first: 2, after: "cb").query
    let operation = try requested.operation()
    let response = try operation.response(
      from: Array("{\"data\":\(Self.page("cd", next: false))}".utf8))
    await #expect(throws: Stop.self) {
      try await store.write { storage in
        try storage.write(response, of: operation)
        #expect(try (storage as any Graph.ObjectReading).read(operation).missing.isEmpty)
        throw Stop()
      }
    }
    #expect(try all(store) == "ab")
  }

  @Test(arguments: StoreKind.allCases)
  func pagingArgumentsMayHaveOtherNames(kind: StoreKind) async throws {
    var configuration = Graph.Store.Configuration()
    configuration.pagingArguments = Graph.PagingArguments(first: "limit", after: "from")
    let store = try kind.make(configuration)
    // With these names, `first` is an ordinary argument.
    try await write(store, Requested(first: 2), "ab")
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    #expect(try root.value(\.products, arguments: ["first": 2]).edges.count == 2)
  }

  @Test func thePageCostIsIndependentOfTheListLength() async throws {
    let log = StatementLog()
    var configuration = Graph.Store.Configuration()
    configuration.recorder = log.recorder
    let store = try StoreKind.file.make(configuration)
    func ids(_ range: Range<Int>) -> String {
      range.map { String(UnicodeScalar(0x4E00 + $0)!) }.joined()
    }
    func cursor(_ index: Int) -> String { "c" + ids(index..<index + 1) }
    var statements: [Int] = []
    try await write(store, Requested(first: 20), ids(0..<20))
    for page in 1..<100 {
      _ = log.takeRun()
      try await write(
        store, Requested(first: 20, after: cursor(page * 20 - 1)), ids(page * 20..<page * 20 + 20))
      statements.append(log.takeRun().count)
    }
    #expect(try #require(statements.last) <= #require(statements.first))
    #expect(try all(store) == ids(0..<2000))
    _ = log.takeRun()
    #expect(try read(store, Requested(first: 20, after: cursor(1979))) == ids(1980..<2000))
    let late = log.takeRun().count
    #expect(try read(store, Requested(first: 20, after: cursor(19))) == ids(20..<40))
    #expect(log.takeRun().count == late)
  }
}
