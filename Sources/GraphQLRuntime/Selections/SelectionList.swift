extension GraphQL {
  /// The selections of one builder: a part of a tree. Its address identifies the builder, which the
  /// owner of this value keeps alive.
  // Safe: the owner of this value keeps the builder alive, and the builder the tree; positions are
  // the tree’s own.
  @safe struct SelectionList: Hashable {
    let tree: UnsafeMutablePointer<SelectionTree>
    /// The selection below which the builder selects; none for the builder that created the tree.
    let owner: Int32

    static func == (left: SelectionList, right: SelectionList) -> Bool {
      unsafe left.tree == right.tree && left.owner == right.owner
    }

    func hash(into hasher: inout Hasher) {
      unsafe hasher.combine(tree)
      hasher.combine(owner)
    }

    /// The position of the first selection, negative if there is none.
    var first: Int32 {
      unsafe owner < 0 ? tree.pointee.first : tree.pointee.nodes[Int(owner)].child
    }

    /// Whether modifiers were added for a selection that did not follow.
    var hasPending: Bool { unsafe tree.pointee.pending[owner] != nil }

    /// The selections, to be merged.
    var selections: [Selection] {
      var selections: [Selection] = []
      var place = first
      while place >= 0 {
        let node = unsafe tree.pointee.nodes[Int(place)]
        unsafe selections.append(
          Selection(
            node, child: child(of: node, at: place),
            arguments: Array(tree.pointee.arguments[node.argumentRange]),
            details: node.details < 0 ? nil : tree.pointee.details[Int(node.details)]))
        place = node.next
      }
      return selections
    }

    private func child(of node: SelectionNode, at place: Int32) -> SelectionList? {
      switch node.child {
      case SelectionNode.none: nil
      case SelectionNode.attached: unsafe tree.pointee.attached[place]?.list
      default: unsafe SelectionList(tree: tree, owner: place)
      }
    }
  }
}
