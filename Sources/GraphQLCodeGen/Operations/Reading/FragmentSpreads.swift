package import GraphQLSchema

extension Document.SelectionSet {
  /// The spreads in the set and in all sets within it, in the order in which they are written.
  package var spreads: [Document.FragmentSpread] {
    var found: [Document.FragmentSpread] = []
    collectSpreads(into: &found)
    return found
  }

  private func collectSpreads(into found: inout [Document.FragmentSpread]) {
    for selection in selections {
      switch selection {
      case .field(let field): field.selectionSet?.collectSpreads(into: &found)
      case .inlineFragment(let fragment): fragment.selectionSet.collectSpreads(into: &found)
      case .fragmentSpread(let spread): found.append(spread)
      }
    }
  }
}

extension Document.Definition {
  /// The selection set of an operation or fragment; nil for other definitions.
  var selectionSet: Document.SelectionSet? {
    switch self {
    case .operation(let operation): operation.selectionSet
    case .fragment(let fragment): fragment.selectionSet
    default: nil
    }
  }
}
