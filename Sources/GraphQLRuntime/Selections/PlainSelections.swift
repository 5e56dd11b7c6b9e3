import Foundation

extension GraphQL {
  /// The selections of an operation that were printed without merging.
  // Safe: a copy, never changed, of a plain tree whose names are all literals of the program.
  struct PlainSelections: @unchecked Sendable {
    private let type: TypeInfo
    private let schema: SchemaTable
    private let first: Int32
    private let nodes: [SelectionNode]
    private let details: [SelectionDetails]

    /// The number of selections, including nested ones.
    var count: Int { nodes.count }

    init(_ list: SelectionList, of type: TypeInfo, in schema: SchemaTable) {
      self.type = type
      self.schema = schema
      first = list.first
      nodes = unsafe Array(
        UnsafeBufferPointer(start: list.tree.pointee.nodes, count: list.tree.pointee.count))
      details = unsafe list.tree.pointee.details
    }

    /// Whether a builder has the same selections, apart from their details and arguments. Names are
    /// compared by address, so the result may be false for equal ones.
    func hasNodes(of list: SelectionList) -> Bool {
      guard list.first == first, unsafe list.tree.pointee.count == nodes.count else { return false }
      let byteCount = nodes.count * MemoryLayout<SelectionNode>.stride
      return unsafe nodes.withUnsafeBytes { nodes in
        guard let nodes = nodes.baseAddress else { return true }
        return unsafe memcmp(nodes, list.tree.pointee.nodes, byteCount) == 0
      }
    }

    /// The selection sets as ``SelectionMerger`` creates them. The recursion is as deep as that of
    /// printing.
    ///
    /// - Parameter arguments: those of the builders' tree; nil leaves out the arguments' values.
    func frozen(_ arguments: [Argument]?) -> SelectionSet {
      frozen(first, type, isRoot: true, arguments)
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
          arguments: arguments.map { Array($0[node.argumentRange]) } ?? [],
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
