import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// A list changes on the server between the requests for its pages. Once all pages were requested again, the store has
/// the list of the server.
@Suite struct ChangingListTests {
  /// The parts of pages that have cursors.
  enum Cursors: CaseIterable { case edges, pageInfo, both }

  private func query(
    _ cursors: Cursors, after: String?, first: Int, isBackward: Bool
  ) -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.products(
        first: isBackward ? nil : first, after: isBackward ? nil : after,
        last: isBackward ? first : nil, before: isBackward ? after : nil
      ) {
        switch cursors {
        case .edges: $0.edges { $0.cursor().node { $0.id() } }
        case .pageInfo: $0.nodes { $0.id() }
        case .both: $0.edges { $0.cursor().node { $0.id() } }.nodes { $0.id() }
        }
        $0.pageInfo { $0.hasNextPage().hasPreviousPage().startCursor().endCursor() }
      }
    }
  }

  private struct Server {
    var list: [Int]

    /// A page after a cursor, or before it. The list begins again if there is no such element.
    func page(
      _ cursors: Cursors, _ cursor: String?, _ count: Int, isBackward: Bool
    ) -> (data: String, next: String?) {
      let place = cursor.flatMap { cursor in list.firstIndex { "c\($0)" == cursor } }
      let range: Range<Int>
      if isBackward {
        let end = place ?? list.count
        range = max(0, end - count)..<end
      } else {
        let start = place.map { $0 + 1 } ?? 0
        range = start..<min(list.count, start + count)
      }
      let ids = list[range]
      let nodes = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
      let edges = ids.map { #"{"cursor":"c\#($0)","node":{"id":"\#($0)"}}"# }
        .joined(separator: ",")
      let lists =
        switch cursors {
        case .edges: #""edges":[\#(edges)]"#
        case .pageInfo: #""nodes":[\#(nodes)]"#
        case .both: #""edges":[\#(edges)],"nodes":[\#(nodes)]"#
        }
      func text(_ id: Int?) -> String { id.map { "\"c\($0)\"" } ?? "null" }
      let (hasNext, hasPrevious) = (range.upperBound < list.count, range.lowerBound > 0)
      let data = #"""
        {"products":{\#(lists),"pageInfo":{"hasNextPage":\#(hasNext),"hasPreviousPage":\#(hasPrevious),
        "startCursor":\#(text(ids.first)),"endCursor":\#(text(ids.last))}}}
        """#
      let next =
        isBackward
        ? (hasPrevious ? ids.first : nil) : (hasNext ? ids.last : nil)
      return (data, next.map { "c\($0)" })
    }
  }

  private func stored(_ store: Graph.Store, _ cursors: Cursors) throws -> [String] {
    let products = try #require(try store.object(Sample.Query.self, key: "")).products
    return cursors == .pageInfo
      ? products.nodes.map(\.id.rawValue) : products.edges.map(\.node.id.rawValue)
  }

  /// Elements that are not known precede the list now, or follow it, so that its start or end is not known any more.
  @Test(arguments: Cursors.allCases, [false, true])
  func aListThatHasGrownIsNotComplete(cursors: Cursors, isBackward: Bool) async throws {
    let store = try StoreKind.memory.make()
    var server = Server(list: [10, 11, 12])
    let known = query(cursors, after: nil, first: 3, isBackward: isBackward)
    try await store.write(known, server.page(cursors, nil, 3, isBackward: isBackward).data)
    server.list = [1, 2, 3, 10, 11, 12, 21, 22, 23]
    let cursor = isBackward ? "c12" : "c10"
    try await store.write(
      query(cursors, after: cursor, first: 2, isBackward: !isBackward),
      server.page(cursors, cursor, 2, isBackward: !isBackward).data)
    let first = query(cursors, after: nil, first: 2, isBackward: isBackward)
    #expect(try store.read(first).data == nil)
  }

  @Test(arguments: 0..<150)
  func allPagesAgainAreTheList(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let cursors = Cursors.allCases[Int(seed % 3)]
    let store = try StoreKind.memory.make()
    var server = Server(list: Array(0..<Int.random(in: 0...14, using: &random)))
    let size = Int.random(in: 1...4, using: &random)
    var new = 100
    /// The number of pages; one that leads back ends the list.
    func load(from cursor: String?, _ count: Int, isBackward: Bool, limit: Int) async throws {
      var cursor = cursor
      var seen: Set<String> = []
      for _ in 0..<limit {
        let page = server.page(cursors, cursor, count, isBackward: isBackward)
        try await store.write(
          query(cursors, after: cursor, first: count, isBackward: isBackward), page.data)
        guard let next = page.next, seen.insert(next).inserted else { return }
        cursor = next
      }
    }
    for _ in 0..<12 {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          server.list.insert(new, at: Int.random(in: 0...server.list.count, using: &random))
          new += 1
        case 1, 2:
          if server.list.isEmpty { break }
          server.list.remove(at: Int.random(in: 0..<server.list.count, using: &random))
        default:
          // Some pages, also after elements that are gone, and backwards.
          let cursor =
            Bool.random(using: &random) ? nil : "c\(Int.random(in: 0..<16, using: &random))"
          try await load(
            from: cursor, Int.random(in: 1...5, using: &random),
            isBackward: Int.random(in: 0..<4, using: &random) == 0,
            limit: Int.random(in: 1...3, using: &random))
        }
      }
      let isBackward = Int.random(in: 0..<3, using: &random) == 0
      try await load(from: nil, size, isBackward: isBackward, limit: 100)
      #expect(
        try stored(store, cursors) == server.list.map { "\($0)" },
        "seed \(seed), \(cursors), backward \(isBackward)")
      // A list reads this at the next start, page by page.
      var read: [String] = []
      var cursor: String?
      while true {
        let products = try #require(
          try store.read(query(cursors, after: cursor, first: size, isBackward: isBackward)).data
        ).products
        let ids =
          cursors == .pageInfo
          ? products.nodes.map(\.id.rawValue) : products.edges.map(\.node.id.rawValue)
        read = isBackward ? ids + read : read + ids
        let info = products.pageInfo
        guard isBackward ? info.hasPreviousPage : info.hasNextPage,
          let end = isBackward ? info.startCursor : info.endCursor
        else { break }
        cursor = end
      }
      #expect(read == server.list.map { "\($0)" }, "seed \(seed), \(cursors)")
    }
  }
}
