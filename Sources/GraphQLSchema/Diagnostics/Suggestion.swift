/// `Did you mean "a", "b" or "c"?` with the closest candidates; nil if none is close.
package func didYouMean(_ name: String, among candidates: some Sequence<String>) -> String? {
  let closest = closestNames(to: name, among: candidates)
  guard let last = closest.last else { return nil }
  let others = closest.dropLast().map(quoted).joined(separator: ", ")
  return "Did you mean \(others.isEmpty ? "" : "\(others) or ")\(quoted(last))?"
}

/// Up to three candidates within an edit distance of a third of the name, the closest first.
private func closestNames(to name: String, among candidates: some Sequence<String>) -> [String] {
  let longestCompared = 100
  let wanted = Array(name.utf8)
  guard wanted.count <= longestCompared else { return [] }
  let limit = (wanted.count + 1) / 3
  var found: [(name: String, distance: Int)] = []
  for candidate in candidates {
    guard abs(candidate.utf8.count - wanted.count) <= limit else { continue }
    let distance = editDistance(wanted, Array(candidate.utf8), limit: limit)
    if distance <= limit { found.append((candidate, distance)) }
  }
  found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
  return found.prefix(3).map(\.name)
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two names;
/// more than `limit` if it is more. Names that differ only in letter case are 1 apart.
func editDistance(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int {
  if first == second { return 0 }
  let first = first.map(lowercased)
  let second = second.map(lowercased)
  if first == second { return 1 }
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for row in 0..<first.count {
    var current = [row + 1]
    for column in 0..<second.count {
      var cost = previous[column] + (first[row] == second[column] ? 0 : 1)
      cost = min(cost, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    if (current.min() ?? 0) > limit { return limit + 1 }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- 0x41 < 26 ? byte | 0x20 : byte
}
