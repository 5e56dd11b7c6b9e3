extension GraphQL.DocumentPrinter {
  /// Prints builders whose selections are plain: fields of their types, each response name once, with
  /// or without arguments. That is nearly every query, and takes a fifth of the time of merging the
  /// selections into sets and printing those.
  ///
  /// - Parameter sets: gets the selections of each builder, in the order of printing.
  /// - Returns: false when the selections have to be merged, or when there is a problem to report;
  ///   what was printed is of no use then.
  mutating func printPlain(
    _ builder: GraphQL.AbstractQuery, of type: GraphQL.TypeInfo, isRoot: Bool,
    in schema: GraphQL.SchemaTable, sets: inout [[GraphQL.Selection]]
  ) -> Bool {
    let selections = builder.selections
    guard !selections.isEmpty, builder.pending == nil, enter(selections.count) else { return false }
    sets.append(selections)
    put("{")
    var response = ResponseNames()
    if type.isAbstract, !isRoot {
      put("__typename")
      response.hasTypename = true
    }
    let isPlain = selections.withUnsafeBufferPointer { selections in
      for position in 0..<selections.count {
        // By its address: a copy counts five references.
        let selection = selections.baseAddress.unsafelyUnwrapped + position
        if position > 0 || response.hasTypename { put(" ") }
        guard printPlain(selection, of: type, in: schema, &response, sets: &sets) else {
          return false
        }
      }
      return true
    }
    put("}")
    leave()
    return isPlain
  }

  private mutating func printPlain(
    _ selection: UnsafePointer<GraphQL.Selection>, of type: GraphQL.TypeInfo,
    in schema: GraphQL.SchemaTable, _ response: inout ResponseNames,
    sets: inout [[GraphQL.Selection]]
  ) -> Bool {
    guard selection.pointee.details == nil else { return false }
    guard let position = type.position(of: selection.pointee.name) else {
      return printTypename(selection, &response)
    }
    if selection.pointee.hasAlias {
      guard
        GraphQL.SelectionMerger.aliasProblem(selection.pointee, in: type, schema) == nil,
        response.insert(alias: selection.pointee.responseName)
      else { return false }
      put(selection.pointee.responseName)
      put(":")
    } else {
      guard response.insert(position) else { return false }
    }
    put(selection.pointee.name)
    if !selection.pointee.arguments.isEmpty {
      let field = type.fields[position]
      print(arguments: selection.pointee.arguments) { field.argument($0)?.type }
    }
    guard let below = type.composite(position) else { return selection.pointee.child == nil }
    guard let child = selection.pointee.child else { return false }
    return printPlain(child, of: schema.type(at: below), isRoot: false, in: schema, sets: &sets)
  }

  private mutating func printTypename(
    _ selection: UnsafePointer<GraphQL.Selection>, _ response: inout ResponseNames
  ) -> Bool {
    guard selection.pointee.name == "__typename", !selection.pointee.hasAlias,
      selection.pointee.arguments.isEmpty, selection.pointee.child == nil, !response.hasTypename
    else { return false }
    response.hasTypename = true
    put("__typename")
    return true
  }

  /// The response names of one selection set: a bit for each field of the type, without hashing.
  private struct ResponseNames {
    var hasTypename = false
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var aliases: [String] = []

    /// Whether the field at a position of the type is new here. False also for a field past the
    /// 128th, which is for the merger to tell.
    mutating func insert(_ position: Int) -> Bool {
      guard position < 128 else { return false }
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: position)
      if position < 64 {
        defer { low |= bit }
        return low & bit == 0
      }
      defer { high |= bit }
      return high & bit == 0
    }

    mutating func insert(alias responseName: String) -> Bool {
      guard aliases.count < 16, !aliases.contains(responseName) else { return false }
      aliases.append(responseName)
      return true
    }
  }
}
