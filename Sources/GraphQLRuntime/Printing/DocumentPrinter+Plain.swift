extension GraphQL.DocumentPrinter {
  /// Prints builders whose selections are plain: fields of their types, each response name once,
  /// with or without arguments. Nearly every query is plain. Printing it takes a tenth of the time
  /// of merging the selections into sets and printing those.
  ///
  /// - Returns: false when the selections have to be merged, or when there is a problem to report.
  ///   The printed text is invalid then.
  // Safe: the list’s builder keeps the tree alive until the document is printed.
  mutating func printPlain(
    _ list: GraphQL.SelectionList, of type: GraphQL.TypeInfo, in schema: GraphQL.SchemaTable
  ) -> Bool {
    let tree = unsafe list.tree
    let printed = unsafe Plain(tree: tree, nodes: tree.pointee.nodes, schema: schema)
    return unsafe printPlain(list.first, of: type.shape, type.index, isRoot: true, printed)
  }

  /// The printed operation.
  // Safe: it exists only during a call of `printPlain`, in which the builder keeps the tree alive.
  @safe private struct Plain {
    let tree: UnsafeMutablePointer<GraphQL.SelectionTree>
    let nodes: UnsafeMutablePointer<GraphQL.SelectionNode>
    let schema: GraphQL.SchemaTable
  }

  // Safe: positions are the tree’s own; names live as long as the tree.
  private mutating func printPlain(
    _ first: Int32, of type: UnsafePointer<GraphQL.TypeShape>, _ typePosition: Int, isRoot: Bool,
    _ plain: Plain
  ) -> Bool {
    guard first >= 0, enter() else { return false }
    put(UInt8(ascii: "{"))
    var response = ResponseNames()
    if unsafe type.pointee.isAbstract, !isRoot {
      put("__typename")
      response.hasTypename = true
    }
    var place = first
    var isFirst = !response.hasTypename
    while place >= 0 {
      let node = unsafe plain.nodes[Int(place)]
      if !isFirst { put(UInt8(ascii: " ")) }
      isFirst = false
      guard let position = unsafe type.pointee.position(of: node.bytes) else {
        guard printTypename(node, &response) else { return false }
        place = node.next
        continue
      }
      if node.details >= 0 {
        guard printAlias(node, typePosition, plain, &response) else { return false }
      } else if !response.insert(position) {
        return false
      }
      unsafe put(node.bytes)
      if node.argumentCount > 0 { printArguments(node, position, typePosition, plain) }
      if let below = unsafe type.pointee.composite(position) {
        // Attached or empty selections are negative and are not printed here.
        guard
          unsafe printPlain(
            node.child, of: plain.schema.shape(at: below), below, isRoot: false, plain)
        else { return false }
      } else if node.child != GraphQL.SelectionNode.none {
        return false
      }
      place = node.next
    }
    put(UInt8(ascii: "}"))
    leave()
    return true
  }

  /// Arguments and their types by address. Copying them would retain a dozen references for each
  /// argument, which took half of the time.
  // Safe: the positions are those of arguments that the node has, and of infos that were found.
  @inline(never)
  private mutating func printArguments(
    _ node: GraphQL.SelectionNode, _ position: Int, _ typePosition: Int, _ plain: Plain
  ) {
    let field = plain.schema.type(at: typePosition).fields[position]
    unsafe plain.tree.pointee.arguments.withUnsafeBufferPointer { arguments in
      unsafe field.arguments.withUnsafeBufferPointer { known in
        for position in node.argumentRange {
          let argument = unsafe arguments.baseAddress.unsafelyUnwrapped + position
          let name = unsafe argument.pointee.name
          put(UInt8(ascii: position == node.argumentRange.lowerBound ? "(" : ","))
          put(name)
          put(UInt8(ascii: ":"))
          if let info = unsafe known.firstIndex(where: { $0.name == name }) {
            unsafe print(argument, as: known.baseAddress.unsafelyUnwrapped + info, at: position)
          } else {
            plainVariables = nil
            unsafe print(argument.pointee, as: nil)
          }
        }
      }
    }
    put(UInt8(ascii: ")"))
  }

  /// Prints the alias; false when there is more than an alias, or when it cannot be printed.
  // Safe: `details` is a position from the tree.
  @inline(never)
  private mutating func printAlias(
    _ node: GraphQL.SelectionNode, _ typePosition: Int, _ plain: Plain,
    _ response: inout ResponseNames
  ) -> Bool {
    plainVariables = nil
    let details = unsafe plain.tree.pointee.details[Int(node.details)]
    let selection = GraphQL.Selection(node, child: nil, arguments: [], details: details)
    let type = plain.schema.type(at: typePosition)
    guard details.isPlain,
      GraphQL.SelectionMerger.aliasProblem(selection, in: type, plain.schema) == nil,
      response.insert(alias: selection.responseName)
    else { return false }
    put(selection.responseName)
    put(UInt8(ascii: ":"))
    return true
  }

  // Safe: names live as long as the tree.
  @inline(never)
  private mutating func printTypename(
    _ node: GraphQL.SelectionNode, _ response: inout ResponseNames
  ) -> Bool {
    guard unsafe node.bytes.elementsEqual("__typename".utf8), node.details < 0,
      node.child == GraphQL.SelectionNode.none, !response.hasTypename
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

    /// Whether the field at a position of the type is new here. Also false for a field after the
    /// 128th, which only the merger can check.
    @inline(__always)
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
