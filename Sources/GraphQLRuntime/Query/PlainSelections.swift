extension GraphQL {
  /// The selections of an operation that were printed as they were, until its first answer is read.
  ///
  /// `@unchecked Sendable` holds because the arrays are values and of a child only whether there is one
  /// is asked: builders, which are for one task, are not looked into.
  struct PlainSelections: @unchecked Sendable {
    let type: TypeInfo
    let schema: SchemaTable
    /// The selections of each builder, a builder before its children.
    let sets: [[Selection]]

    /// The selection sets, as ``SelectionMerger`` makes them. Recursion is as deep as printing was.
    func frozen() -> SelectionSet {
      var next = 0
      return frozen(&next, type, isRoot: true)
    }

    private func frozen(_ next: inout Int, _ type: TypeInfo, isRoot: Bool) -> SelectionSet {
      let selections = sets[next]
      next += 1
      var entries: [SelectionSet.Entry] = []
      entries.reserveCapacity(selections.count + 1)
      if type.isAbstract, !isRoot {
        let typename = Selection(plainField: "__typename")
        entries.append(
          .field(SelectionSet.Field(typename, arguments: [], info: nil, selectionSet: nil)))
      }
      for selection in selections {
        let info = type.field(selection.name)
        let below = info.flatMap { schema.type(of: $0) }.map { frozen(&next, $0, isRoot: false) }
        entries.append(
          .field(
            SelectionSet.Field(
              selection, arguments: selection.arguments, info: info, selectionSet: below)))
      }
      return SelectionSet(type: type, entries: entries)
    }
  }
}
