extension Graph {
  /// How one list became another, by the identity of its elements.
  ///
  /// Apply in this order: remove `deletions` and moved elements from the old list; then insert moved
  /// elements and `insertions`, by their positions in the new list.
  public struct ListChanges: Sendable, Hashable {
    /// An element at another position among those that stay.
    public struct Move: Sendable, Hashable {
      /// Its position in the old list.
      public let from: Int
      /// Its position in the new list.
      public let to: Int
    }

    /// Positions in the new list of elements that were not in the old one, ascending.
    public internal(set) var insertions: [Int] = []
    /// Positions in the old list of elements that are not in the new one, ascending.
    public internal(set) var deletions: [Int] = []
    /// Moved elements, by their new positions; as few as possible.
    public internal(set) var moves: [Move] = []
    /// Positions in the new list of elements with changed values, moved or not, ascending.
    public internal(set) var updates: [Int] = []

    /// Whether the lists are the same.
    public var isEmpty: Bool {
      insertions.isEmpty && deletions.isEmpty && moves.isEmpty && updates.isEmpty
    }

    /// Takes time in proportion to n log n.
    ///
    /// - Parameter isSame: whether an element, given its positions, has the same values in both
    ///   lists.
    init<ID: Hashable>(from old: [ID], to new: [ID], isSame: (Int, Int) -> Bool) {
      let oldPlaces = Dictionary(zip(old, old.indices), uniquingKeysWith: { first, _ in first })
      let newIDs = Set(new)
      deletions = old.indices.filter { !newIDs.contains(old[$0]) }
      var common: [Move] = []
      for (place, id) in new.enumerated() {
        guard let from = oldPlaces[id] else {
          insertions.append(place)
          continue
        }
        common.append(Move(from: from, to: place))
        if !isSame(from, place) { updates.append(place) }
      }
      let staying = Self.longestAscending(common.map(\.from))
      moves = common.indices.filter { !staying.contains($0) }.map { common[$0] }
    }

    /// The positions of a longest ascending subsequence of distinct numbers.
    private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
      // For each length the position of the least number that ends a subsequence of that length.
      var ends: [Int] = []
      var previous = [Int?](repeating: nil, count: numbers.count)
      for (place, number) in numbers.enumerated() {
        var low = 0
        var high = ends.count
        while low < high {
          let middle = (low + high) / 2
          if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[place] = ends[low - 1] }
        if low == ends.count { ends.append(place) } else { ends[low] = place }
      }
      var selection: Set<Int> = []
      var place = ends.last
      while let here = place {
        selection.insert(here)
        place = previous[here]
      }
      return selection
    }
  }
}
