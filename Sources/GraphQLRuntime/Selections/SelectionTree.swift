extension GraphQL {
  /// The selections of a builder and of all builders that it created, in one array.
  ///
  /// With an array in each builder, a query of 60 fields would need 40 more allocations. Neither a
  /// tree nor its builders are Sendable: they belong to one task.
  public final class SelectionTree {
    // Properties that are used for each field are unchecked, as in `AbstractQuery`.
    /// In the order in which they were selected, across all builders.
    @exclusivity(unchecked) private(set) var nodes: [SelectionNode] = []
    /// The first selection of the builder that created the tree.
    private(set) var first = SelectionNode.none
    /// The arguments of all fields; those of one field are contiguous.
    @exclusivity(unchecked) private(set) var arguments: [Argument] = []
    private(set) var details: [SelectionDetails] = []
    /// The modifiers for the next selection of a builder, by the builder's owner.
    @exclusivity(unchecked) var pending: [Int32: Modifiers] = [:]
    /// The builders that were passed to
    /// ``AbstractQuery/addField(field:aliasSuffix:args:subfields:)``, by their field.
    private(set) var attached: [Int32: AbstractQuery] = [:]
    /// Whether there are names that are not literals of generated code.
    var hasRawNames = false
    var header: OperationHeader?

    init() {
      nodes.reserveCapacity(64)
    }

    /// Whether every modifier applies to a selection, and all names are literals.
    var isPlain: Bool {
      pending.isEmpty && !hasRawNames && nodes.count <= SelectionMerger.maximumCount
    }

    /// Adds a selection after `last` of the builder whose owner is `owner`, and returns its
    /// position.
    func append(_ name: String, after last: Int32, of owner: Int32) -> Int32 {
      let place = Int32(truncatingIfNeeded: nodes.count)
      nodes.append(SelectionNode(name: name))
      if last >= 0 {
        nodes[Int(last)].next = place
      } else if owner >= 0 {
        nodes[Int(owner)].child = place
      } else {
        first = place
      }
      return place
    }

    func append(_ argument: consuming Argument, to place: Int32) {
      let range = nodes[Int(place)].arguments
      if range.isEmpty {
        nodes[Int(place)].firstArgument = Int32(arguments.count)
      } else if range.upperBound != arguments.count {
        // Another field got arguments in between.
        nodes[Int(place)].firstArgument = Int32(arguments.count)
        arguments += arguments[range]
      }
      arguments.append(argument)
      nodes[Int(place)].argumentCount += 1
    }

    func set(_ details: SelectionDetails, of place: Int32) {
      let known = nodes[Int(place)].details
      if known >= 0 {
        self.details[Int(known)] = details
      } else {
        nodes[Int(place)].details = Int32(self.details.count)
        self.details.append(details)
      }
    }

    /// Opens a selection set below a selection, replacing any existing one.
    func openChild(of place: Int32) {
      nodes[Int(place)].child = SelectionNode.empty
    }

    func attach(_ builder: AbstractQuery, to place: Int32) {
      nodes[Int(place)].child = SelectionNode.attached
      attached[place] = builder
    }
  }

  /// One selection (specification: 2.4 Selection Sets).
  struct SelectionNode: Equatable {
    /// No selection.
    static let none: Int32 = -1
    /// For ``child``: a selection set without selections yet.
    static let empty: Int32 = -2
    /// For ``child``: selections of another tree.
    static let attached: Int32 = -3

    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: String
    /// The next selection of the same builder.
    var next = none
    /// The first selection below.
    var child = none
    /// The position in ``SelectionTree/details``; none for a field without details.
    var details = none
    /// The position in ``SelectionTree/arguments``, if there are any.
    fileprivate(set) var firstArgument: Int32 = 0
    fileprivate(set) var argumentCount: Int32 = 0

    /// The positions of its arguments.
    var arguments: Range<Int> {
      Int(firstArgument)..<Int(firstArgument) + Int(argumentCount)
    }
  }
}
