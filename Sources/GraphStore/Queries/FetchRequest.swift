import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The requested objects of a type, their order, and their number.
struct FetchRequest<Object: GraphQL.AbstractResponse>: Sendable {
  struct Order: Sendable {
    let locator: FieldLocator
    let kind: GraphQL.LeafKind
    let isDescending: Bool
    let collation: Graph.Collation
  }

  struct Match {
    let key: String
    let json: JSONDocument
  }

  var filter: Graph.Filter<Object>?
  var orders: [Order] = []
  var limit: Int?
  var offset = 0
  /// The reason why the request cannot be run.
  var problem: Graph.StoreError?

  /// Whether it is for all objects of the type in their stored order, so that none has to be read.
  var isUnconditional: Bool { filter == nil && orders.isEmpty && problem == nil }

  /// Calls `body` with the matches until it returns false: in the order of insertion, or in the
  /// requested order if `plan` provides it.
  func forEachMatch(
    in source: any RecordSource, ofType name: String, by plan: ScanPlan? = nil,
    _ body: (Match) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) -> Bool {
    if let problem { throw problem }
    let plan = plan ?? ScanPlan(self, source.policies.indexes(ofType: name))
    func visit(_ key: String, _ json: JSONDocument) throws(Graph.StoreError) -> Bool {
      if let filter, !(try filter.test(json, JSONDocument.rootIndex, source)) { return true }
      return try body(Match(key: key, json: json))
    }
    if let query = plan.query, try source.forEachRecord(ofType: name, by: query, visit) {
      return plan.isSorted
    }
    source.policies.scanNotices?.note(
      (filter?.paths ?? []) + orders.map(\.locator.path), ofType: name)
    try source.forEachRecord(ofType: name, visit)
    return false
  }

  /// The matches, sorted, from the offset up to the limit.
  func matches(
    in source: any RecordSource, ofType name: String
  ) throws(Graph.StoreError) -> [Match] {
    var matches: [Match] = []
    let end = limit.map { min($0, Int.max - offset) + offset }
    if limit == 0, problem == nil { return [] }
    let plan = ScanPlan(self, source.policies.indexes(ofType: name))
    var isInOrder = orders.isEmpty
    if !isInOrder { isInOrder = try isIndexed(plan, in: source, ofType: name) }
    if isInOrder {
      matches.reserveCapacity(min(end ?? 0, 1000))
      _ = try forEachMatch(in: source, ofType: name, by: plan) { match throws(Graph.StoreError) in
        matches.append(match)
        return end.map { matches.count < $0 } ?? true
      }
    } else {
      matches = try sorted(in: source, ofType: name)
    }
    if offset > 0 { matches.removeFirst(min(offset, matches.count)) }
    if let limit, limit < matches.count { matches.removeLast(matches.count - limit) }
    return matches
  }

  /// Whether the records come sorted from an existing index.
  private func isIndexed(
    _ plan: ScanPlan, in source: any RecordSource, ofType name: String
  ) throws(Graph.StoreError) -> Bool {
    guard plan.isSorted, let query = plan.query else { return false }
    return try source.forEachRecord(ofType: name, by: query) { _, _ in false }
  }

  private func sorted(
    in source: any RecordSource, ofType name: String
  ) throws(Graph.StoreError) -> [Match] {
    var rows: [(match: Match, values: [OrderedValue])] = []
    _ = try forEachMatch(in: source, ofType: name) { match throws(Graph.StoreError) in
      var values: [OrderedValue] = []
      for order in orders {
        let found = try order.locator.find(match.json, JSONDocument.rootIndex, source)
        values.append(
          found.map { order.collation.apply(OrderedValue($0.json, at: $0.index, order.kind)) }
            ?? .nothing)
      }
      rows.append((match, values))
      return true
    }
    rows.sort { left, right in
      for (position, order) in orders.enumerated()
      where left.values[position] != right.values[position] {
        return (left.values[position] < right.values[position]) != order.isDescending
      }
      return false
    }
    return rows.map(\.match)
  }
}
