extension GraphQL.DocumentPrinter {
  /// Prints builders whose selections are plain: fields of their types, each response name once,
  /// with or without arguments. Nearly every query is plain. Printing it takes a tenth of the time
  /// of merging the selections into sets and printing those.
  ///
  /// - Returns: false when the selections have to be merged, or when there is a problem to report.
  ///   The printed text is invalid then.
  mutating func printPlain(
    _ tree: GraphQL.SelectionTree, of type: GraphQL.TypeInfo, in schema: GraphQL.SchemaTable
  ) -> Bool {
    printPlain(tree.nodes[0].child, of: type, isRoot: true, tree, schema)
  }

  private mutating func printPlain(
    _ first: Int32, of type: GraphQL.TypeInfo, isRoot: Bool, _ tree: GraphQL.SelectionTree,
    _ schema: GraphQL.SchemaTable
  ) -> Bool {
    guard first >= 0, enter() else { return false }
    put(UInt8(ascii: "{"))
    var response = ResponseNames()
    if type.isAbstract, !isRoot {
      put("__typename")
      response.hasTypename = true
    }
    var place = first
    var isFirst = !response.hasTypename
    while place >= 0 {
      let node = tree.nodes[Int(place)]
      let name = node.name.description
      place = node.next
      if !isFirst { put(UInt8(ascii: " ")) }
      isFirst = false
      guard let position = type.position(of: name) else {
        guard printTypename(node, &response) else { return false }
        continue
      }
      if node.details >= 0 {
        guard printAlias(node, type, tree, schema, &response) else { return false }
      } else if !response.insert(position) {
        return false
      }
      put(name)
      let field = type.fields[position]
      if !node.arguments.isEmpty { printArguments(node.arguments, of: field, tree) }
      if let below = schema.type(of: field) {
        // Attached or empty selections are negative and are not printed here.
        guard printPlain(node.child, of: below, isRoot: false, tree, schema) else { return false }
      } else if node.child != GraphQL.SelectionNode.none {
        return false
      }
    }
    put(UInt8(ascii: "}"))
    leave()
    return true
  }

  private mutating func printArguments(
    _ places: Range<Int>, of field: GraphQL.FieldInfo, _ tree: GraphQL.SelectionTree
  ) {
    for place in places {
      let argument = tree.arguments[place]
      put(UInt8(ascii: place == places.lowerBound ? "(" : ","))
      put(argument.name)
      put(UInt8(ascii: ":"))
      if let info = field.argument(argument.name) {
        print(argument, as: info, at: place)
      } else {
        plainVariables = nil
        print(argument, as: nil)
      }
    }
    put(UInt8(ascii: ")"))
  }

  /// Prints the alias; false when there is more than an alias, or when it cannot be printed.
  private mutating func printAlias(
    _ node: GraphQL.SelectionNode, _ type: GraphQL.TypeInfo, _ tree: GraphQL.SelectionTree,
    _ schema: GraphQL.SchemaTable, _ response: inout ResponseNames
  ) -> Bool {
    plainVariables = nil
    let details = tree.details[Int(node.details)]
    let selection = GraphQL.Selection(node, child: nil, arguments: [], details: details)
    guard details.isPlain,
      GraphQL.SelectionMerger.aliasProblem(selection, in: type, schema) == nil,
      response.insert(alias: selection.responseName)
    else { return false }
    put(selection.responseName)
    put(UInt8(ascii: ":"))
    return true
  }

  private mutating func printTypename(
    _ node: GraphQL.SelectionNode, _ response: inout ResponseNames
  ) -> Bool {
    guard node.name.description == "__typename", node.details < 0,
      node.child == GraphQL.SelectionNode.none,
      !response.hasTypename
    else { return false }
    response.hasTypename = true
    put("__typename")
    return true
  }

  /// The response names of one selection set: a bit for each field of the type, without hashing.
  private struct ResponseNames {
    var hasTypename = false
    private var fields: UInt128 = 0
    private var aliases: [String] = []

    /// Whether the field at a position of the type is new here. Also false for a field after the
    /// 128th, which only the merger can check.
    mutating func insert(_ position: Int) -> Bool {
      guard position < UInt128.bitWidth else { return false }
      let bit: UInt128 = 1 << position
      defer { fields |= bit }
      return fields & bit == 0
    }

    mutating func insert(alias responseName: String) -> Bool {
      guard aliases.count < 16, !aliases.contains(responseName) else { return false }
      aliases.append(responseName)
      return true
    }
  }
}
