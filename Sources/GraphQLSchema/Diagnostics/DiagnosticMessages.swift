/// `Did you mean "a", "b" or "c"?` with the closest candidates; nil if none is close.
package func didYouMean(_ name: String, among candidates: some Sequence<String>) -> String? {
  let closest = closestNames(to: name, among: candidates)
  return closest.isEmpty ? nil : "Did you mean \(alternatives(closest))?"
}

/// `"a", "b" or "c"`.
func alternatives(_ names: [String]) -> String {
  let others = names.dropLast().map(quoted).joined(separator: ", ")
  return (others.isEmpty ? "" : others + " or ") + names.suffix(1).map(quoted).joined()
}

/// Up to three candidates within an edit distance of a third of the name, the closest first.
///
/// Only the first candidates are compared: more than any real schema has, fewer than a hostile one
/// can have.
private func closestNames(to name: String, among candidates: some Sequence<String>) -> [String] {
  let longestCompared = 100
  let mostCompared = 10_000
  let length = name.utf8.count
  guard length <= longestCompared else { return [] }
  let limit = (length + 1) / 3
  var found: [(name: String, distance: Int)] = []
  for candidate in candidates.prefix(mostCompared)
  where abs(candidate.utf8.count - length) <= limit {
    let distance = editDistance(name, candidate, limit: limit)
    if distance <= limit { found.append((candidate, distance)) }
  }
  found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
  return found.prefix(3).map(\.name)
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two names;
/// more than `limit` if it is more. Names that differ only in letter case are 1 apart.
// Safe: the texts and the rows are valid until the table is computed; the rows are three of
// `width`.
private func editDistance(_ first: String, _ second: String, limit: Int) -> Int {
  if first == second { return 0 }
  var first = first
  var second = second
  return first.withUTF8 { first in
    second.withUTF8 { second in
      guard let firstBase = first.baseAddress, let secondBase = second.baseAddress else {
        return max(first.count, second.count)
      }
      let width = second.count + 1
      return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { rows in
        // The capacity is at least three, so there is a base address.
        let distance = unsafe EditDistance(
          first: firstBase, firstCount: first.count, second: secondBase,
          secondCount: second.count, rows: rows.baseAddress!
        ).compute(limit: limit)
        return max(distance, 1)
      }
    }
  }
}

/// The table of an edit distance, of which three rows are needed at a time. It uses unsafe pointers
/// because a misspelt name is compared with all others, also in debug builds.
// Safe: `editDistance` owns the memory; rows and columns stay below the counts, plus one for
// `rows`.
@safe private struct EditDistance {
  let first: UnsafePointer<UInt8>
  let firstCount: Int
  let second: UnsafePointer<UInt8>
  let secondCount: Int
  /// Three rows of `secondCount + 1` numbers.
  let rows: UnsafeMutablePointer<Int>

  func compute(limit: Int) -> Int {
    let width = secondCount &+ 1
    var beforePrevious = unsafe rows
    var previous = unsafe rows + width
    var current = unsafe rows + 2 &* width
    var column = 0
    while column < width {
      unsafe previous[column] = column
      column &+= 1
    }
    var row = 0
    while row < firstCount {
      unsafe current[0] = row &+ 1
      var smallest = row &+ 1
      column = 0
      while column < secondCount {
        let isSame = matches(row, column)
        var cost = unsafe previous[column] &+ (isSame ? 0 : 1)
        if unsafe previous[column &+ 1] &+ 1 < cost { cost = unsafe previous[column &+ 1] &+ 1 }
        if unsafe current[column] &+ 1 < cost { cost = unsafe current[column] &+ 1 }
        if row > 0, column > 0, !isSame, matches(row, column &- 1), matches(row &- 1, column),
          unsafe beforePrevious[column &- 1] &+ 1 < cost
        {
          cost = unsafe beforePrevious[column &- 1] &+ 1
        }
        unsafe current[column &+ 1] = cost
        if cost < smallest { smallest = cost }
        column &+= 1
      }
      if smallest > limit { return limit &+ 1 }
      unsafe (beforePrevious, previous, current) = unsafe (previous, current, beforePrevious)
      row &+= 1
    }
    return unsafe previous[secondCount]
  }

  /// Whether two letters are the same except for their case.
  private func matches(_ row: Int, _ column: Int) -> Bool {
    let a = unsafe first[row]
    let b = unsafe second[column]
    return a == b || (a ^ b == 0x20 && (a | 0x20) &- 0x61 < 26)
  }
}

/// Untrusted text in quotes, suitable for a message: shortened, with an escape for every character
/// that could move the cursor, end the line or reorder the text.
package func quoted(_ text: String) -> String {
  let limit = 60
  if text.utf8.count <= limit { return "\"\(escaped(text))\"" }
  let scalars = text.unicodeScalars
  let kept = scalars.prefix(limit + 1)
  guard kept.count > limit else { return "\"\(escaped(text))\"" }
  return "\"\(escaped(String(String.UnicodeScalarView(kept.dropLast()))))…\""
}

/// The text with control, format, line separating and unassigned characters as `\u{…}`.
package func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if isPrintable(scalar) {
      result.unicodeScalars.append(scalar)
    } else {
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
  return result
}

func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
    false
  default: true
  }
}
