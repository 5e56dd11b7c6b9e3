import GraphJSON

extension GraphQL {
  /// The selections with one response name, or one fragment.
  struct SelectionGroup {
    let first: Selection
    /// The children of the selections after the first.
    private var others: [SelectionList] = []

    init(_ selection: Selection) {
      first = selection
    }

    mutating func merge(_ selection: Selection) {
      if let child = selection.child { others.append(child) }
    }

    /// The selections of nested builders, each once.
    var children: [SelectionList] {
      guard let child = first.child else { return [] }
      if others.isEmpty { return [child] }
      var known: Set = [child.identity]
      return [child] + others.filter { known.insert($0.identity).inserted }
    }
  }

  /// Groups in the order of their first selection.
  struct SelectionDraft {
    private(set) var groups: [SelectionGroup] = []
    /// The position of each response name in `groups`; created when searching becomes slower than
    /// hashing.
    private var positions: [String: Int] = [:]
    private static let searchLimit = 16

    mutating func add(_ selection: Selection) {
      groups.append(SelectionGroup(selection))
      if groups.count == Self.searchLimit + 1 {
        for (position, group) in groups.enumerated() where group.first.isField {
          positions[group.first.responseName] = position
        }
      } else if groups.count > Self.searchLimit, selection.isField {
        positions[selection.responseName] = groups.count - 1
      }
    }

    mutating func merge(_ selection: Selection, at position: Int) {
      groups[position].merge(selection)
    }

    /// The group of the selection's response name; nil for a fragment, which has a group of its
    /// own.
    func position(of selection: Selection) -> Int? {
      guard selection.isField else { return nil }
      let name = selection.responseName
      if groups.count > Self.searchLimit { return positions[name] }
      return groups.firstIndex { $0.first.isField && $0.first.responseName == name }
    }
  }
}

extension GraphQL.Selection {
  /// Whether two selections with one response name can be merged (specification: 5.3.2 Field
  /// Selection Merging).
  func isSameField(as other: GraphQL.Selection) -> Bool {
    guard isField, other.isField, name == other.name,
      rawArguments.map(ExactKey.init) == other.rawArguments.map(ExactKey.init),
      (child == nil) == (other.child == nil),
      nulls.sorted() == other.nulls.sorted()
    else { return false }
    return GraphQL.sameArguments(arguments, other.arguments)
      && directives.count == other.directives.count
      && zip(directives, other.directives).allSatisfy {
        $0.name == $1.name && GraphQL.sameArguments($0.arguments, $1.arguments)
      }
  }
}

extension GraphQL {
  /// Compares arguments by the values that would be sent; the order does not matter.
  static func sameArguments(_ left: [Argument], _ right: [Argument]) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { argument in
      right.contains { $0.name == argument.name && isSent($0.value, likewise: argument.value) }
    }
  }

  private static func isSent(
    _ left: any InputValue, likewise right: any InputValue
  ) -> Bool {
    var leftWriter = ValueWriter(.json)
    left._write(to: &leftWriter)
    var rightWriter = ValueWriter(.json)
    right._write(to: &rightWriter)
    return leftWriter.bytes == rightWriter.bytes
      && leftWriter.uploads.elementsEqual(rightWriter.uploads) { $0.upload == $1.upload }
  }
}
