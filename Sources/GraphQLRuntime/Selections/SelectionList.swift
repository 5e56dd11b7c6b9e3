extension GraphQL {
  /// The selections of one builder: a part of a tree.
  struct SelectionList: Hashable {
    let shared: SharedSelectionTree
    /// The selection below which the builder selects; 0 for the builder that created the tree.
    let owner: Int32

    static func == (left: SelectionList, right: SelectionList) -> Bool {
      left.shared === right.shared && left.owner == right.owner
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(shared))
      hasher.combine(owner)
    }

    /// Whether modifiers were added for a selection that did not follow.
    var hasPending: Bool { shared.tree.pending[owner] != nil }

    /// The selections, to be merged.
    var selections: [Selection] {
      let tree = shared.tree
      var selections: [Selection] = []
      var place = tree.nodes[Int(owner)].child
      while place >= 0 {
        let node = tree.nodes[Int(place)]
        selections.append(
          Selection(
            node, child: child(of: node, at: place, in: tree),
            arguments: Array(tree.arguments[node.arguments]),
            details: node.details < 0 ? nil : tree.details[Int(node.details)]))
        place = node.next
      }
      return selections
    }

    private func child(
      of node: SelectionNode, at place: Int32, in tree: SelectionTree
    ) -> SelectionList? {
      switch node.child {
      case SelectionNode.none: nil
      case SelectionNode.attached: tree.attached[place]?.list
      default: SelectionList(shared: shared, owner: place)
      }
    }
  }
}
