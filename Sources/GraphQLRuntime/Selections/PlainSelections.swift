extension GraphQL {
  /// The selections of an operation that were printed without merging.
  struct PlainSelections: Sendable {
    private let type: TypeInfo
    private let schema: SchemaTable
    private let nodes: [SelectionNode]
    private let details: [SelectionDetails]

    /// The number of nodes, of selections and of the root.
    var count: Int { nodes.count }

    init(_ tree: SelectionTree, of type: TypeInfo, in schema: SchemaTable) {
      self.type = type
      self.schema = schema
      nodes = tree.nodes
      details = tree.details
    }

    /// Whether a builder has the same selections, apart from their details and arguments.
    func hasNodes(of tree: SelectionTree) -> Bool { tree.nodes == nodes }

    /// The selection sets as ``SelectionMerger`` creates them. The recursion is as deep as that of
    /// printing.
    ///
    /// - Parameter arguments: those of the builders' tree; nil leaves out the arguments' values.
    func frozen(_ arguments: [Argument]?) -> SelectionSet {
      frozen(nodes[0].child, type, isRoot: true, arguments)
    }

    private func frozen(
      _ first: Int32, _ type: TypeInfo, isRoot: Bool, _ arguments: [Argument]?
    ) -> SelectionSet {
      var entries: [SelectionSet.Entry] = []
      if type.isAbstract, !isRoot {
        entries.append(.field(field(Selection(plainField: "__typename"), nil, nil)))
      }
      var place = first
      while place >= 0 {
        let node = nodes[Int(place)]
        let selection = Selection(
          node, child: nil,
          arguments: arguments.map { Array($0[node.arguments]) } ?? [],
          details: node.details < 0 ? nil : details[Int(node.details)])
        let info = type.field(selection.name)
        let below = info.flatMap { schema.type(of: $0) }
          .map { frozen(node.child, $0, isRoot: false, arguments) }
        entries.append(.field(field(selection, info, below)))
        place = node.next
      }
      return SelectionSet(type: type, entries: entries)
    }

    private func field(
      _ selection: Selection, _ info: FieldInfo?, _ below: SelectionSet?
    ) -> SelectionSet.Field {
      SelectionSet.Field(
        selection, arguments: selection.arguments, info: info, selectionSet: below)
    }
  }
}
