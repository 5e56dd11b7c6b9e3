import GraphJSON
import GraphQLRuntime

/// Which objects of a type are wanted, in which order, and how many.
struct FetchRequest<Object: GraphQL.AbstractResponse>: Sendable {
  struct Order: Sendable {
    let locator: FieldLocator
    let kind: GraphQL.LeafKind
    let isDescending: Bool
  }

  struct Match {
    let key: String
    let json: JSONDocument
  }

  var filter: Filter<Object>?
  var orders: [Order] = []
  var limit: Int?
  var offset = 0
  /// Why the request cannot be run.
  var problem: StoreError?

  /// Calls `body` with what matches, in the order of insertion, until it returns false.
  func forEachMatch(
    in source: any RecordSource, ofType name: String,
    _ body: (Match) throws(StoreError) -> Bool
  ) throws(StoreError) {
    if let problem { throw problem }
    try source.forEachRecord(ofType: name) { key, json throws(StoreError) in
      if let filter, !(try filter.test(json, JSONDocument.rootIndex, source)) { return true }
      return try body(Match(key: key, json: json))
    }
  }

  /// What matches, sorted, from the offset on and up to the limit.
  func matches(
    in source: any RecordSource, ofType name: String
  ) throws(StoreError) -> [Match] {
    var matches: [Match] = []
    let end = limit.map { min($0, Int.max - offset) + offset }
    if orders.isEmpty {
      if limit == 0 { return [] }
      try forEachMatch(in: source, ofType: name) { match throws(StoreError) in
        matches.append(match)
        return end.map { matches.count < $0 } ?? true
      }
    } else {
      matches = try sorted(in: source, ofType: name)
    }
    return Array(matches.dropFirst(offset).prefix(limit ?? .max))
  }

  private func sorted(
    in source: any RecordSource, ofType name: String
  ) throws(StoreError) -> [Match] {
    var rows: [(match: Match, values: [OrderedValue])] = []
    try forEachMatch(in: source, ofType: name) { match throws(StoreError) in
      var values: [OrderedValue] = []
      for order in orders {
        let found = try order.locator.find(match.json, JSONDocument.rootIndex, source)
        values.append(
          found.map { OrderedValue($0.json, at: $0.index, order.kind) } ?? .nothing)
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
