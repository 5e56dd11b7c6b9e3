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

/// How a fetch finds its objects: by one index, or by reading all of them.
struct ScanPlan {
  let query: IndexQuery?
  /// Whether the objects come in the requested order.
  let isSorted: Bool

  init<Object>(_ request: FetchRequest<Object>, _ indexes: [FieldIndex]) {
    let paths = Set(indexes.map(\.path))
    var ranges: [String: FieldRange] = [:]
    for range in request.filter?.ranges ?? [] where paths.contains(range.path) {
      ranges[range.path] = ranges[range.path].map { $0.intersection(range) } ?? range
    }
    let order = request.orders.first.flatMap {
      $0.collation == .binary && paths.contains($0.locator.path) ? $0 : nil
    }
    let found =
      ranges.values.filter(\.isOneValue).min { $0.path < $1.path }
      ?? order.flatMap { ranges[$0.locator.path] }
      ?? ranges.values.min { $0.path < $1.path }
    // An index only for a sort is useful if it makes sorting unnecessary.
    guard let range = found ?? order.map({ FieldRange(path: $0.locator.path) }) else {
      query = nil
      isSorted = false
      return
    }
    isSorted = request.orders.count == 1 && order?.locator.path == range.path
    query = IndexQuery(
      range: range,
      order: !isSorted ? .insertion : order?.isDescending == true ? .descending : .ascending)
  }
}

extension FieldRange {
  /// The values in both ranges.
  func intersection(_ other: FieldRange) -> FieldRange {
    var range = self
    if let lower = other.lower { range.lower = range.lower.map { max($0, lower) } ?? lower }
    if let upper = other.upper { range.upper = range.upper.map { min($0, upper) } ?? upper }
    return range
  }
}

/// The path of a field in records: the store's form of a key path.
struct FieldLocator: Sendable {
  /// The names of the fields: `price.amount`.
  let path: String
  private let steps: [[UInt8]]

  /// - Parameter isList: whether the last field has to be a list; no other may be one.
  /// - Throws: `unsupportedKeyPath` for a key path that is not a chain of fields, reads an alias,
  ///   or passes through a list.
  init<Object: GraphQL.AbstractResponse, Value>(
    _ keyPath: KeyPath<Object, Value>, isList: Bool = false
  ) throws(Graph.StoreError) {
    let path: GraphQL.FieldPath
    do {
      path = try GraphQL.FieldPath(keyPath)
    } catch {
      throw Graph.StoreError(.unsupportedKeyPath, "\(error)", cause: error)
    }
    if let step = path.steps.first(where: { $0.alias != nil }) {
      throw Graph.StoreError(
        .unsupportedKeyPath,
        "the store does not support aliases, but the key path reads `\(step.name)` by an alias")
    }
    let lists = path.lists(from: Object.self)
    if lists.dropLast().contains(true) || lists.last != isList {
      throw Graph.StoreError(
        .unsupportedKeyPath,
        isList
          ? "`\(path)` is not a list" : "`\(path)` goes through a list; use `any` for its elements")
    }
    self.path = path.description
    steps = path.steps.map { Array($0.name.utf8) }
  }

  /// The value of the field for the object at `index`; nil if the path to it is null or missing.
  func find(
    _ json: JSONDocument, _ index: Int, _ source: any RecordSource
  ) throws(Graph.StoreError) -> (json: JSONDocument, index: Int)? {
    guard var place = try Self.follow(json, index, source) else { return nil }
    for (position, step) in steps.enumerated() {
      let found = place.json.member(step, of: place.index)
      guard let found else { return nil }
      place.index = found
      if position == steps.count - 1 { break }
      guard let next = try Self.follow(place.json, found, source) else { return nil }
      place = next
    }
    return place
  }

  /// The object at `index`, or the one to which it links; nil if there is no object.
  private static func follow(
    _ json: JSONDocument, _ index: Int, _ source: any RecordSource
  ) throws(Graph.StoreError) -> (json: JSONDocument, index: Int)? {
    guard json.kind(at: index) == .object else { return nil }
    guard let key = GraphQL.StoredLink.key(at: index, in: json) else { return (json, index) }
    let target = try key.isOfConnection ? source.connection(key) : source.record(key)
    return target.map { ($0, JSONDocument.rootIndex) }
  }
}
