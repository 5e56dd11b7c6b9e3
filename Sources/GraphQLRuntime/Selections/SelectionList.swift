extension GraphQL {
  /// The selections of one builder: a part of a tree.
  struct SelectionList: Hashable {
    let tree: SelectionTree
    /// The selection below which the builder selects; none for the builder that created the tree.
    let owner: Int32

    static func == (left: SelectionList, right: SelectionList) -> Bool {
      left.tree === right.tree && left.owner == right.owner
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(tree))
      hasher.combine(owner)
    }

    /// The position of the first selection, negative if there is none.
    var first: Int32 { owner < 0 ? tree.first : tree.nodes[Int(owner)].child }

    /// Whether modifiers were added for a selection that did not follow.
    var hasPending: Bool { tree.pending[owner] != nil }

    /// The selections, to be merged.
    var selections: [Selection] {
      var selections: [Selection] = []
      var place = first
      while place >= 0 {
        let node = tree.nodes[Int(place)]
        selections.append(
          Selection(
            node, child: child(of: node, at: place),
            arguments: Array(tree.arguments[node.arguments]),
            details: node.details < 0 ? nil : tree.details[Int(node.details)]))
        place = node.next
      }
      return selections
    }

    private func child(of node: SelectionNode, at place: Int32) -> SelectionList? {
      switch node.child {
      case SelectionNode.none: nil
      case SelectionNode.attached: tree.attached[place]?.list
      default: SelectionList(tree: tree, owner: place)
      }
    }
  }
}
