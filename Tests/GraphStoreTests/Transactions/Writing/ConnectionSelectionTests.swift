import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Pages of one connection that were selected with different fields, sizes and directions.
@Suite struct ConnectionSelectionTests {
  typealias Connection = Sample.ProductConnectionQuery

  private func query(
    first: Int? = nil, after: String? = nil, last: Int? = nil, before: String? = nil,
    _ selection: @escaping (Connection) -> Void
  ) -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.products(first: first, after: after, last: last, before: before, selection)
    }
  }

  private func edgeList(_ query: Connection) { query.edges { $0.cursor().node { $0.id() } } }
  private func nodeList(_ query: Connection) { query.nodes { $0.id() } }

  /// The part of a page that a response has.
  private struct Page {
    var edges: String?
    var nodes: String?
    /// The members of `pageInfo`.
    var info: KeyValuePairs<String, String> = [:]

    func select(in query: Connection) {
      if edges != nil { query.edges { $0.cursor().node { $0.id() } } }
      if nodes != nil { query.nodes { $0.id() } }
      guard !info.isEmpty else { return }
      query.pageInfo { pageInfo in
        for (name, _) in info { pageInfo.addField(field: name) }
      }
    }

    var json: String {
      var members: [String] = []
      if let edges {
        let list = edges.map { #"{"cursor":"c\#($0)","node":{"id":"\#($0)"}}"# }
        members.append("\"edges\":[\(list.joined(separator: ","))]")
      }
      if let nodes {
        let list = nodes.map { #"{"id":"\#($0)"}"# }
        members.append("\"nodes\":[\(list.joined(separator: ","))]")
      }
      if !info.isEmpty {
        let values = info.map { "\"\($0)\":\($1)" }
        members.append("\"pageInfo\":{\(values.joined(separator: ","))}")
      }
      return "{\"products\":{\(members.joined(separator: ","))}}"
    }
  }

  private func write(
    _ store: Graph.Store, first: Int? = nil, after: String? = nil, last: Int? = nil,
    before: String? = nil, _ page: Page
  ) async throws {
    let query = query(first: first, after: after, last: last, before: before, page.select)
    try await store.write(query, page.json)
  }

  private func readEdges(_ store: Graph.Store, _ query: Sample.QueryQuery) throws -> String? {
    try store.read(query).data.map { $0.products.edges.map(\.node.id.rawValue).joined() }
  }

  private func readNodes(_ store: Graph.Store, _ query: Sample.QueryQuery) throws -> String? {
    try store.read(query).data.map { $0.products.nodes.map(\.id.rawValue).joined() }
  }

  private func plainEdges(_ store: Graph.Store) throws -> String {
    let root = try #require(try store.object(Sample.Query.self, key: ""))
    return root.products.edges.map(\.node.id.rawValue).joined()
  }

  @Test(arguments: StoreKind.allCases)
  func aListThatSomePagesLackIsMissing(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(
      store, first: 2, Page(edges: "ab", info: ["endCursor": "\"cb\"", "hasNextPage": "true"]))
    try await write(
      store, first: 2, after: "cb",
      Page(nodes: "de", info: ["endCursor": "\"ce\"", "hasNextPage": "true"]))
    #expect(try readEdges(store, query(first: 2, edgeList)) == "ab")
    #expect(try readNodes(store, query(first: 2, after: "cb", nodeList)) == "de")
    #expect(try readEdges(store, query(first: 3, edgeList)) == nil)
    #expect(try readNodes(store, query(first: 3, nodeList)) == nil)
    #expect(try plainEdges(store) == "ab")

    // A page in the middle of another one.
    try await write(
      store, first: 1, after: "ca",
      Page(nodes: "x", info: ["endCursor": "\"cx\"", "hasNextPage": "true"]))
    #expect(try readEdges(store, query(first: 1, edgeList)) == "a")
    #expect(try readNodes(store, query(first: 1, after: "ca", nodeList)) == "x")
    #expect(try readEdges(store, query(first: 2, edgeList)) == nil)
    #expect(try plainEdges(store) == "a")
  }

  @Test(arguments: StoreKind.allCases)
  func aPageWithoutCursorsReplacesTheEarlierOne(kind: StoreKind) async throws {
    let store = try kind.make()
    for page in ["ab", "ab", "cd", "ce"] {
      try await write(store, first: 3, after: "c8", Page(nodes: page))
      #expect(try readNodes(store, query(first: 3, after: "c8", nodeList)) == page)
      try await write(store, last: 3, before: "c9", Page(nodes: page))
      #expect(try readNodes(store, query(last: 3, before: "c9", nodeList)) == page)
    }
    // A page of which only the cursor before it is known.
    try await write(store, first: 2, Page(edges: "ab"))
    for page in ["xyz", "xyz", "vw"] {
      try await write(
        store, first: 3, after: "ca", Page(nodes: page, info: ["hasNextPage": "false"]))
      #expect(try readNodes(store, query(first: 3, after: "ca", nodeList)) == page)
      #expect(try readEdges(store, query(first: 1, edgeList)) == "a")
    }
  }

  /// A list of another size shows the same connection.
  @Test(arguments: StoreKind.allCases, [1, 3, 4])
  func aPageWithTheFirstNodesKeepsTheOthers(kind: StoreKind, size: Int) async throws {
    let store = try kind.make()
    let more: KeyValuePairs = ["hasNextPage": "true"]
    for _ in 1...2 {
      try await write(store, first: 2, Page(edges: "ab", info: more))
      try await write(store, first: size, Page(edges: String("abcd".prefix(size)), info: more))
      try await write(store, first: 2, after: "cb", Page(edges: "cd", info: more))
      try await write(
        store, first: 2, after: "cd", Page(edges: "e", info: ["hasNextPage": "false"]))
    }
    try await write(
      store, first: size, Page(edges: String("abcd".prefix(size)), info: more))
    #expect(try plainEdges(store) == "abcde")
    #expect(try readEdges(store, query(first: 2, edgeList)) == "ab")
    #expect(try readEdges(store, query(first: 2, after: "cb", edgeList)) == "cd")
    #expect(try readEdges(store, query(first: 2, after: "cd", edgeList)) == "e")
    #expect(
      try readEdges(store, query(first: size, edgeList)) == String("abcd".prefix(size)))
    // The next page of the other list.
    let cursor = ["a", "b", "c", "d"][size - 1]
    try await write(
      store, first: 9, after: "c\(cursor)",
      Page(edges: String("abcde".dropFirst(size)), info: ["hasNextPage": "false"]))
    #expect(try plainEdges(store) == "abcde")
    // A list that ends, and other nodes, replace the list.
    try await write(store, first: 2, Page(edges: "ab", info: ["hasNextPage": "false"]))
    #expect(try plainEdges(store) == "ab")
    try await write(store, first: 3, Page(edges: "xab", info: more))
    #expect(try plainEdges(store) == "xab")
  }

  @Test(arguments: StoreKind.allCases)
  func aPageWithTheLastNodesKeepsTheOthers(kind: StoreKind) async throws {
    let store = try kind.make()
    let more: KeyValuePairs = ["hasPreviousPage": "true"]
    try await write(store, last: 2, Page(edges: "de", info: more))
    try await write(store, last: 2, before: "cd", Page(edges: "bc", info: more))
    try await write(store, last: 3, Page(edges: "cde", info: more))
    #expect(try plainEdges(store) == "bcde")
    #expect(try readEdges(store, query(last: 2, edgeList)) == "de")
    #expect(try readEdges(store, query(last: 3, edgeList)) == "cde")
    #expect(try readEdges(store, query(last: 1, before: "cc", edgeList)) == "b")
  }

  /// A page that the server has cut is still the result of its query; members of edges that it does not have stay.
  @Test(arguments: StoreKind.allCases)
  func aPageWithTheFirstNodesHasOtherFields(kind: StoreKind) async throws {
    let store = try kind.make()
    let more: KeyValuePairs = ["hasNextPage": "true"]
    try await write(store, first: 2, Page(edges: "ab", nodes: "ab", info: more))
    try await write(store, first: 2, after: "cb", Page(edges: "cd", nodes: "cd", info: more))
    try await write(store, first: 50, Page(edges: "abc", info: more))
    #expect(try readEdges(store, query(first: 50, edgeList)) == "abc")
    #expect(try readNodes(store, query(first: 4, nodeList)) == "abcd")
    try await write(store, Page(edges: "a", info: more))
    #expect(try readEdges(store, query(edgeList)) == "a")
    #expect(try readNodes(store, query(first: 4, nodeList)) == "abcd")
  }

  @Test(arguments: StoreKind.allCases)
  func unknownPageInformationIsMissing(kind: StoreKind) async throws {
    let store = try kind.make()
    func missing(_ query: Sample.QueryQuery) throws -> Set<String> {
      Set(try store.read(query).missing.compactMap { $0.last?.description })
    }
    try await write(store, first: 2, Page(nodes: "ab"))
    let all = query(first: 2) {
      $0.nodes { $0.id() }
        .pageInfo { $0.endCursor().startCursor().hasNextPage().hasPreviousPage() }
    }
    #expect(
      try missing(all) == ["endCursor", "startCursor", "hasNextPage", "hasPreviousPage"])
    func part(
      first: Int? = nil, after: String? = nil, last: Int? = nil, before: String? = nil
    ) -> Sample.QueryQuery {
      query(first: first, after: after, last: last, before: before) {
        $0.edges { $0.cursor() }.pageInfo { $0.hasNextPage().hasPreviousPage() }
      }
    }
    try await write(
      store, first: 2, after: "c2",
      Page(edges: "34", info: ["endCursor": "\"c4\"", "hasNextPage": "true"]))
    #expect(try missing(part(first: 1, after: "c2")) == ["hasPreviousPage"])
    #expect(try missing(part(first: 1, after: "c3")).isEmpty)
    try await write(
      store, last: 2, before: "c9",
      Page(edges: "78", info: ["startCursor": "\"c7\"", "hasPreviousPage": "true"]))
    #expect(try missing(part(last: 1, before: "c9")) == ["hasNextPage"])
    #expect(try missing(part(last: 1, before: "c8")).isEmpty)
  }

  /// A server returns as many nodes as it wants if no number is requested.
  @Test(arguments: StoreKind.allCases)
  func aPageWithoutASizeIsAnotherOne(kind: StoreKind) async throws {
    let store = try kind.make()
    let unlimited = query(edgeList)
    try await write(store, first: 2, Page(edges: "ab", info: ["hasNextPage": "true"]))
    #expect(try readEdges(store, unlimited) == nil)
    #expect(try !store.read(query { $0.pageInfo { $0.endCursor() } }).missing.isEmpty)
    try await write(store, first: 2, after: "cb", Page(edges: "c", info: ["hasNextPage": "false"]))
    #expect(try readEdges(store, unlimited) == "abc")
    try await write(store, Page(edges: "xyz", info: ["hasNextPage": "true"]))
    #expect(try readEdges(store, unlimited) == "xyz")
    try await write(store, first: 1, after: "cz", Page(edges: "w", info: ["hasNextPage": "true"]))
    #expect(try readEdges(store, unlimited) == "xyz")
    #expect(try readEdges(store, query(first: 4, edgeList)) == "xyzw")
  }

  /// A page that was requested backwards may have fewer nodes, since the list starts with it.
  @Test(arguments: StoreKind.allCases)
  func aPageOfTheOtherDirectionIsAnotherOne(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(
      store, first: 2,
      Page(edges: "cd", info: ["hasNextPage": "true", "hasPreviousPage": "false"]))
    try await write(
      store, last: 5, before: "cc", Page(edges: "ab", info: ["hasPreviousPage": "false"]))
    #expect(try readEdges(store, query(last: 5, before: "cc", edgeList)) == "ab")
    #expect(try readEdges(store, query(first: 4, edgeList)) == "abcd")
    #expect(try readEdges(store, query(first: 5, edgeList)) == nil)
  }
}
