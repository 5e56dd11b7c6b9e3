import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import StorefrontAPI

@testable import GraphClient
@testable import GraphLive

/// A server's list of products, which tests change, and which can send wrong pages.
final class ProductList: Sendable {
  enum Fault {
    /// An error instead of data.
    case error
    /// There is another page, without a cursor.
    case noEndCursor
    /// The next page is this one.
    case repeatedCursor
    /// Each page is empty and leads to another one.
    case emptyPages
  }

  private struct State {
    var numbers: [Int]
    var fault: Fault?
    var requested: [String] = []
  }

  private let state: Locked<State>

  init(_ numbers: ClosedRange<Int> = 1...5) { state = Locked(State(numbers: Array(numbers))) }

  /// The cursors that were requested, `-` for none.
  var requested: [String] { state.withLock { $0.requested } }

  func setFault(_ fault: Fault?) { state.withLock { $0.fault = fault } }

  func insertAtStart(_ number: Int) { state.withLock { $0.numbers.insert(number, at: 0) } }

  /// A shop with this list.
  func shop() throws -> CatalogShop {
    try CatalogShop { [self] context in try .json(page(context.arguments)) }
  }

  private func page(_ arguments: JSON.Object) throws -> JSON {
    func text(_ name: String) -> String? {
      if case .string(let text)? = arguments[name] { text } else { nil }
    }
    func count(_ name: String) -> Int? {
      if case .number(let number)? = arguments[name] { number.int64.map { Int($0) } } else { nil }
    }
    return try state.withLock { state in
      let (after, before, query) = (text("after"), text("before"), text("query"))
      state.requested.append(after ?? before ?? query ?? "-")
      if state.fault == .error { throw ExecutionError("The list cannot be read.") }
      if state.fault == .emptyPages {
        return Self.page([], "e\(state.requested.count)", hasNext: true, hasPrevious: false)
      }
      let all = state.numbers
      func position(_ cursor: String) -> Int? { all.firstIndex { "c\($0)" == cursor } }
      var range = all.indices
      if let after { range = (position(after).map { $0 + 1 } ?? all.count)..<all.count }
      if let before { range = 0..<(position(before) ?? 0) }
      if let query, query.hasPrefix("offset "), let offset = Int(query.dropFirst(7)) {
        range = min(offset, all.count)..<all.count
      }
      if let query, query.hasPrefix("page "), let number = Int(query.dropFirst(5)) {
        range = min(2 * (number - 1), all.count)..<all.count
      }
      if let first = count("first") { range = range.prefix(first) }
      if let last = count("last") { range = range.suffix(last) }
      let numbers = all[range]
      var cursor = numbers.last.map { "c\($0)" }
      if state.fault == .noEndCursor { cursor = nil }
      if state.fault == .repeatedCursor { cursor = after ?? cursor }
      return Self.page(
        Array(numbers), cursor, hasNext: range.upperBound < all.count || state.fault != nil,
        hasPrevious: range.lowerBound > 0)
    }
  }

  private static func node(_ number: Int) -> JSON {
    ["id": .string("p\(number)"), "title": .string("Product \(number)")]
  }

  private static func page(
    _ numbers: [Int], _ endCursor: String?, hasNext: Bool, hasPrevious: Bool
  ) -> JSON {
    [
      "nodes": .array(numbers.map(node)),
      "edges": .array(
        numbers.map { number -> JSON in
          ["cursor": .string("c\(number)"), "node": node(number)]
        }),
      "pageInfo": [
        "hasNextPage": .bool(hasNext), "hasPreviousPage": .bool(hasPrevious),
        "startCursor": numbers.first.map { JSON.string("c\($0)") } ?? .null,
        "endCursor": endCursor.map { JSON.string($0) } ?? .null,
      ],
    ]
  }
}

extension ProductList {
  /// The query for a page of the connection.
  static func query(
    _ position: Graph.PagePosition, count: Int = 2, query: String? = nil, isReversed: Bool = false
  ) -> Graph.PageQuery<Storefront.Product> {
    let isBackward = position.before != nil || position == .start && isReversed
    return Graph.PageQuery(
      request(
        first: isBackward ? nil : count, after: position.after, last: isBackward ? count : nil,
        before: position.before, query: query)
    ) { data in
      let info = data.products.pageInfo
      return Graph.Page(
        data.products.nodes, hasNextPage: info.hasNextPage, endCursor: info.endCursor,
        hasPreviousPage: info.hasPreviousPage, startCursor: info.startCursor)
    }
  }

  static func request(
    first: Int? = 2, after: String? = nil, last: Int? = nil, before: String? = nil,
    query: String? = nil
  ) -> Storefront.QueryRootQuery {
    Storefront.buildQuery {
      $0
        .products(first: first, after: after, last: last, before: before, query: query) {
          $0.nodes { $0.id().title() }
            .pageInfo { $0.hasNextPage().endCursor().hasPreviousPage().startCursor() }
        }
    }
  }
}

extension ProductList {
  /// The titles of the products with these numbers.
  static func titles(_ numbers: [Int]) -> [String] { numbers.map { "Product \($0)" } }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension Graph.LivePages where Item == Storefront.Product {
  var titles: [String] { items.map(\.title) }
}
