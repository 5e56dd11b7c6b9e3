/// Distributes sorted elements over files.
enum Balance {
  /// Contiguous runs of about the same weight, exactly `count` of them; some may be empty.
  ///
  /// A run may end anywhere within an eighth of its share around the ideal position; the names of
  /// the elements there decide. So a small change, which moves the ideal positions slightly,
  /// usually leaves all runs unchanged, and few files change.
  static func runs<Element>(
    of elements: [Element], count: Int, weight: (Element) -> Int, name: (Element) -> String
  ) -> [[Element]] {
    var before = [0]
    for element in elements { before.append(before[before.count - 1] + weight(element)) }
    let total = before[elements.count]
    let tolerance = total / (count * 8)
    var runs: [[Element]] = []
    var start = 0
    for number in 1..<count {
      let ideal = total * number / count
      var end = start
      while end < elements.count, before[end] < ideal - tolerance { end += 1 }
      var best = end
      while end < elements.count, before[end] <= ideal + tolerance {
        if rank(name(elements[end])) < rank(name(elements[best])) { best = end }
        end += 1
      }
      runs.append(Array(elements[start..<best]))
      start = best
    }
    return runs + [Array(elements[start...])]
  }

  /// A number that depends only on a name (FNV-1a), unlike the standard hash.
  private static func rank(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
