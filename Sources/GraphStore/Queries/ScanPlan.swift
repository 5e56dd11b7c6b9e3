import GraphQLRuntime

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
