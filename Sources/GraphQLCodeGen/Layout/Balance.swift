/// Spreads sorted elements over files.
enum Balance {
  /// Contiguous runs of about the same weight, exactly `count` of them; some may be empty.
  ///
  /// An element belongs to the run in which its middle falls, so a small change of one weight moves
  /// few elements, and most often none, to another run.
  static func runs<Element>(
    of elements: [Element], count: Int, weight: (Element) -> Int
  ) -> [[Element]] {
    var runs = [[Element]](repeating: [], count: count)
    let total = elements.reduce(0) { $0 + weight($1) }
    var before = 0
    for element in elements {
      let weight = weight(element)
      let middle = 2 * before + weight
      runs[min(count - 1, middle * count / max(2 * total, 1))].append(element)
      before += weight
    }
    return runs
  }
}
