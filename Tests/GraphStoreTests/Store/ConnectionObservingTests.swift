import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Observers of pages read again only if a change of the list affects their page. Random changes must not be
/// missed.
@Suite struct ConnectionObservingTests {
  private struct Requested: Hashable {
    var count: Int
    var cursor: String?
    var isBackward = false

    var query: Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(
          first: isBackward ? nil : count, after: isBackward ? nil : cursor,
          last: isBackward ? count : nil, before: isBackward ? cursor : nil
        ) {
          $0.edges { $0.cursor().node { $0.id() } }
            .pageInfo { $0.hasNextPage().hasPreviousPage().startCursor().endCursor() }
        }
      }
    }
  }

  /// The nodes and the page information; or that some are missing.
  private static func text(_ response: Graph.StoredResponse<Sample.Query>) -> String {
    guard let page = response.data?.products else { return "missing" }
    let info = page.pageInfo
    return page.edges.map(\.node.id.rawValue).joined()
      + " \(info.hasNextPage) \(info.hasPreviousPage) \(info.startCursor ?? "") \(info.endCursor ?? "")"
  }

  private static func page(_ ids: [Character], next: Bool, previous: Bool) -> String {
    let edges = ids.map { #"{"cursor":"c\#($0)","node":{"id":"\#($0)"}}"# }
    func cursor(_ id: Character?) -> String { id.map { "\"c\($0)\"" } ?? "null" }
    return #"""
      {"products":{"edges":[\#(edges.joined(separator: ","))],"pageInfo":{"hasNextPage":\#(next),
      "hasPreviousPage":\#(previous),"startCursor":\#(cursor(ids.first)),
      "endCursor":\#(cursor(ids.last))}}}
      """#
  }

  @Test(.timeLimit(.minutes(5)), arguments: 0..<40)
  func observersSeeWhatAReadSees(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try StoreKind.allCases[Int(seed % 2)].make()
    var list = Array("abcdefghijkl")
    var requests: [Requested] = [
      .init(count: 2), .init(count: 5), .init(count: 2, isBackward: true),
    ]
    for id in list.prefix(6) {
      requests.append(.init(count: Int.random(in: 1...3, using: &random), cursor: "c\(id)"))
      requests.append(.init(count: 2, cursor: "c\(id)", isBackward: true))
    }
    let seen = Locked<[Requested: String]>([:])
    var observers: [Task<Void, any Error>] = []
    for request in requests {
      let operation = try request.query.operation()
      observers.append(
        Task {
          for try await state in store.states(of: operation) {
            seen.withLock { $0[request] = Self.text(state) }
          }
        })
    }
    defer { for observer in observers { observer.cancel() } }
    for _ in 0..<25 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: list.insert("z", at: Int.random(in: 0...list.count, using: &random))
      case 1 where list.count > 3: list.remove(at: Int.random(in: 0..<list.count, using: &random))
      case 2:
        let key = "\(list.randomElement(using: &random) ?? "a")"
        try await store.write {
          _ = try $0.delete([GraphQL.EntityKey(typeName: "Product", key: key)])
        }
      case 3:
        let key = GraphQL.EntityKey(
          typeName: "Product", key: "\(list.randomElement(using: &random) ?? "a")")
        let places: [Graph.StoreChange] = [
          .append(key, to: .list(\Sample.Query.products)),
          .prepend(key, to: .list(\Sample.Query.products)),
          .remove(key, from: .list(\Sample.Query.products)),
        ]
        let change = places[Int.random(in: 0..<3, using: &random)]
        try await store.write { try $0.apply(change) }
      default:
        // A page of the list, as a server sends it.
        var request = requests[Int.random(in: 0..<requests.count, using: &random)]
        if request.cursor != nil, let id = list.randomElement(using: &random) {
          request.cursor = "c\(id)"
        }
        let place = request.cursor.flatMap { cursor in list.firstIndex { "c\($0)" == cursor } }
        let end = request.isBackward ? place ?? list.count : list.count
        let start = request.isBackward ? max(0, end - request.count) : place.map { $0 + 1 } ?? 0
        let range = request.isBackward ? start..<end : start..<min(end, start + request.count)
        try await store.write(
          request.query,
          Self.page(
            Array(list[range]), next: range.upperBound < list.count,
            previous: range.lowerBound > 0))
      }
      for request in requests {
        let expected = Self.text(try store.read(request.query))
        while seen.withLock({ $0[request] }) != expected { await Task.yield() }
      }
    }
  }
}
