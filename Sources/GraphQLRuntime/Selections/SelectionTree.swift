extension GraphQL {
  /// The selections of a builder and of all builders that it created. They are in one array, since
  /// an array in each builder would be another allocation for each.
  struct SelectionTree {
    /// In the order in which they were selected, across all builders. The first one is the root: it
    /// has the selections of the builder that created the tree.
    private(set) var nodes: [SelectionNode] = []
    /// The arguments of all fields; those of one field are contiguous.
    private(set) var arguments: [Argument] = []
    private(set) var details: [SelectionDetails] = []
    /// The modifiers for the next selection of a builder, by the builder's owner.
    private(set) var pending: [Int32: Modifiers] = [:]
    /// The builders that were passed to
    /// ``AbstractQuery/addField(field:aliasSuffix:args:subfields:)``, by their field.
    var attached: [Int32: AbstractQuery] = [:]
    var header: OperationHeader?

    init() {
      nodes.reserveCapacity(64)
      nodes.append(SelectionNode(name: ""))
    }

    /// Whether every modifier applies to a selection.
    var isComplete: Bool { pending.isEmpty && nodes.count <= SelectionMerger.maximumCount }

    /// Adds a field to the selections of an owner.
    mutating func addField(_ name: StaticString, alias: String?, to owner: Int32) {
      let place = append(name, to: owner)
      if alias != nil || !pending.isEmpty {
        describe(place, of: owner, SelectionDetails(alias: alias))
      }
    }

    /// Adds a field by a name that is not a literal.
    mutating func addRawField(
      _ name: String, alias: String?, arguments: String?, _ subfields: AbstractQuery?,
      to owner: Int32
    ) {
      let place = append("", to: owner)
      describe(
        place, of: owner,
        SelectionDetails(alias: alias, rawName: name, rawArguments: arguments))
      if let subfields {
        nodes[Int(place)].child = SelectionNode.attached
        attached[place] = subfields
      }
    }

    /// Adds a fragment with its type condition; a spread has none.
    mutating func addFragment(
      _ kind: SelectionDetails.Kind, on condition: StaticString, to owner: Int32
    ) {
      let place = append(condition, to: owner)
      describe(place, of: owner, SelectionDetails(kind: kind))
    }

    /// Adds an argument to the field that was added last.
    mutating func append(_ argument: consuming Argument, of owner: Int32) {
      let place = Int(nodes[Int(owner)].lastChild)
      let range = nodes[place].arguments
      if range.isEmpty {
        nodes[place].firstArgument = Int32(arguments.count)
      } else if range.upperBound != arguments.count {
        // Another field got arguments in between.
        nodes[place].firstArgument = Int32(arguments.count)
        arguments += arguments[range]
      }
      arguments.append(argument)
      nodes[place].argumentCount += 1
    }

    /// Opens a selection set below the selection that was added last, replacing any existing one,
    /// and returns the position of that selection.
    mutating func openChild(of owner: Int32) -> Int32 {
      let place = nodes[Int(owner)].lastChild
      nodes[Int(place)].child = SelectionNode.empty
      nodes[Int(place)].lastChild = SelectionNode.none
      return place
    }

    /// Changes the modifiers for the next selection of an owner.
    mutating func modify(_ owner: Int32, _ change: (inout Modifiers) -> Void) {
      change(&pending[owner, default: Modifiers()])
    }

    private mutating func append(_ name: StaticString, to owner: Int32) -> Int32 {
      let place = Int32(truncatingIfNeeded: nodes.count)
      let last = nodes[Int(owner)].lastChild
      nodes.append(SelectionNode(name: name))
      if last >= 0 {
        nodes[Int(last)].next = place
      } else {
        nodes[Int(owner)].child = place
      }
      nodes[Int(owner)].lastChild = place
      return place
    }

    /// Stores the details of a selection, with the modifiers before it.
    private mutating func describe(_ place: Int32, of owner: Int32, _ details: SelectionDetails) {
      var details = details
      details.modifiers = pending.removeValue(forKey: owner)
      if details.isPlain, details.alias == nil { return }
      nodes[Int(place)].details = Int32(self.details.count)
      self.details.append(details)
    }
  }

  /// The tree that a builder and the builders that it created share.
  ///
  /// Neither it nor they are Sendable: they belong to one task.
  final class SharedSelectionTree {
    var tree = SelectionTree()
  }

  /// One selection (specification: 2.4 Selection Sets).
  struct SelectionNode: Equatable {
    /// No selection.
    static let none: Int32 = -1
    /// For ``child``: a selection set without selections yet.
    static let empty: Int32 = -2
    /// For ``child``: selections of another tree.
    static let attached: Int32 = -3

    /// The name of a field, or the type condition of an inline fragment; empty for a spread, and for
    /// a field with a name in its details.
    let name: StaticString
    /// The next selection of the same builder.
    fileprivate(set) var next = none
    /// The first selection below.
    fileprivate(set) var child = none
    /// The last selection below.
    fileprivate(set) var lastChild = none
    /// The position in ``SelectionTree/details``; none for a field without details.
    fileprivate(set) var details = none
    /// The position in ``SelectionTree/arguments``, if there are any.
    fileprivate(set) var firstArgument: Int32 = 0
    fileprivate(set) var argumentCount: Int32 = 0

    fileprivate init(name: StaticString) { self.name = name }

    /// The positions of its arguments.
    var arguments: Range<Int> {
      Int(firstArgument)..<Int(firstArgument) + Int(argumentCount)
    }

    /// Compares names by address, so the result may be false for equal ones.
    // Safe: nothing is read from the addresses.
    static func == (left: SelectionNode, right: SelectionNode) -> Bool {
      unsafe left.name.utf8Start == right.name.utf8Start
        && left.name.utf8CodeUnitCount == right.name.utf8CodeUnitCount
        && left.next == right.next && left.child == right.child && left.details == right.details
        && left.arguments == right.arguments
    }
  }
}
