import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The results of a fetch at one time, and the differences from the previous results.
  public struct FetchedResults<Object: GraphQL.AbstractResponse>: Sendable {
    /// Neighbours with the same value of the section field.
    public struct Section: Sendable, Hashable {
      /// The value as text; nil for null.
      public let name: String?
      /// The positions of its objects.
      public let range: Range<Int>
    }

    /// The objects in the order of the fetch.
    public let objects: [Object]
    /// The keys of the objects, in the same order.
    public let keys: [GraphQL.EntityKey]
    /// The sections in their order; empty if none were requested.
    public let sections: [Section]
    /// The changes since the previous results; in the first results, all objects are insertions.
    public let changes: ListChanges
    private let records: [JSONDocument]

    init(
      _ matches: [FetchRequest<Object>.Match], typeName: String, sections: [String?]?,
      after last: FetchedResults?, _ object: (JSONDocument) -> Object
    ) {
      let keys = matches.map { GraphQL.EntityKey(typeName: typeName, key: $0.key) }
      let records = matches.map(\.json)
      let old = last?.records ?? []
      let changes = ListChanges(from: last?.keys ?? [], to: keys) {
        old[$0].isSame(as: records[$1])
      }
      var reused: [GraphQL.EntityKey: Object] = [:]
      let changed = Set(changes.updates)
      if let last { reused = Dictionary(zip(last.keys, last.objects)) { first, _ in first } }
      objects = records.indices.map { place in
        changed.contains(place)
          ? object(records[place]) : reused[keys[place]] ?? object(records[place])
      }
      self.keys = keys
      self.records = records
      self.changes = changes
      self.sections = Self.sections(sections ?? [])
    }

    private static func sections(_ names: [String?]) -> [Section] {
      var sections: [Section] = []
      var start = 0
      // Values are compared by their bytes, as in filters and in the order.
      let values = names.map { $0.map(ExactKey.init) }
      for place in names.indices
      where place + 1 == names.count || values[place + 1] != values[place] {
        sections.append(Section(name: names[place], range: start..<place + 1))
        start = place + 1
      }
      return sections
    }
  }
}

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
