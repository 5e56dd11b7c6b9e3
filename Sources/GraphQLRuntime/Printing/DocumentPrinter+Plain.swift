extension GraphQL.DocumentPrinter {
  /// Prints builders whose selections are plain: fields of their types, each response name once,
  /// with or without arguments. Nearly every query is plain. Printing it takes a tenth of the time
  /// of merging the selections into sets and printing those.
  ///
  /// - Returns: false when the selections have to be merged, or when there is a problem to report.
  ///   The printed text is invalid then.
  mutating func printPlain(
    _ selections: GraphQL.PlainSelections, _ arguments: [[GraphQL.PlacedArgument]]
  ) -> Bool {
    printPlain(0, of: selections.type, selections, arguments)
  }

  private mutating func printPlain(
    _ position: Int, of type: GraphQL.TypeInfo, _ selections: GraphQL.PlainSelections,
    _ arguments: [[GraphQL.PlacedArgument]]
  ) -> Bool {
    let part = selections[position]
    guard part.codes.count > 0, enter() else { return false }
    put(UInt8(ascii: "{"))
    var response = ResponseNames()
    if type.isAbstract, position > 0 {
      put("__typename")
      response.hasTypename = true
    }
    let extras = part.extras < 0 ? nil : selections.extras[Int(part.extras)]
    let argumentCount = part.extras < 0 ? 0 : arguments[Int(part.extras)].count
    let fields = type.fields
    var nextDetails = 0
    var nextArgument = 0
    var below = position + 1
    let end = position + Int(part.size)
    for place in 0..<part.codes.count {
      let isFirst = place == 0 && !response.hasTypename
      let code = part.codes.code(at: place, extras?.words ?? [])
      var index = Int(code)
      if code == GraphQL.SelectionCodes.described {
        if !isFirst { put(UInt8(ascii: " ")) }
        guard let details = extras?.details[nextDetails],
          printAlias(details, type, selections.schema, &response)
        else { return false }
        index = details.position
        nextDetails += 1
        guard index < fields.count else { return false }
        put(fields[index].name)
      } else if code == GraphQL.SelectionCodes.typename {
        guard !response.hasTypename else { return false }
        response.hasTypename = true
        if !isFirst { put(UInt8(ascii: " ")) }
        put("__typename")
        continue
      } else {
        guard response.insert(index), index < fields.count else { return false }
        if isFirst { put(fields[index].name) } else { put(fields[index].spacedName) }
      }
      let field = fields[index]
      if nextArgument < argumentCount {
        printArguments(of: field, at: place, Int(part.extras), arguments, &nextArgument)
      }
      let hasChild = below < end && selections[below].place == place
      if let type = selections.schema.type(of: field) {
        guard hasChild, printPlain(below, of: type, selections, arguments) else { return false }
        below += Int(selections[below].size)
      } else if hasChild {
        return false
      }
    }
    put(UInt8(ascii: "}"))
    leave()
    // Otherwise an argument or a selection set belongs to `__typename` or to nothing.
    return below == end && nextArgument == argumentCount
  }

  /// Prints the arguments of the field at a place.
  ///
  /// - Parameter next: the position of the first argument that was not printed.
  private mutating func printArguments(
    of field: GraphQL.FieldInfo, at place: Int, _ list: Int,
    _ arguments: [[GraphQL.PlacedArgument]], _ next: inout Int
  ) {
    let first = next
    while next < arguments[list].count, arguments[list][next].place == place {
      let argument = arguments[list][next].argument
      put(UInt8(ascii: next == first ? "(" : ","))
      put(argument.name)
      put(UInt8(ascii: ":"))
      if let info = field.argument(argument.name) {
        print(argument, as: info, list, next)
      } else {
        plainVariables = nil
        print(argument, as: nil)
      }
      next += 1
    }
    if next > first { put(UInt8(ascii: ")")) }
  }

  /// Prints the alias; false when there is more than an alias, or when it cannot be printed.
  private mutating func printAlias(
    _ details: GraphQL.SelectionDetails, _ type: GraphQL.TypeInfo, _ schema: GraphQL.SchemaTable,
    _ response: inout ResponseNames
  ) -> Bool {
    plainVariables = nil
    guard details.isPlain, details.alias != nil else { return false }
    let name = GraphQL.Selection.name(GraphQL.SelectionCodes.described, details, of: type)
    let selection = GraphQL.Selection(name, details, child: nil, arguments: [])
    guard GraphQL.SelectionMerger.aliasProblem(selection, in: type, schema) == nil,
      response.insert(alias: selection.responseName)
    else { return false }
    put(selection.responseName)
    put(UInt8(ascii: ":"))
    return true
  }

  /// The response names of one selection set: a bit for each field of the type, without hashing.
  private struct ResponseNames {
    var hasTypename = false
    private var fields: (UInt64, UInt64) = (0, 0)
    private var aliases: [String] = []

    /// Whether the field at a position of the type is new here. Also false for a field after the
    /// 128th, which only the merger can check.
    mutating func insert(_ position: Int) -> Bool {
      guard position < 128 else { return false }
      return position < 64
        ? Self.insert(position, &fields.0) : Self.insert(position &- 64, &fields.1)
    }

    private static func insert(_ position: Int, _ fields: inout UInt64) -> Bool {
      let bit: UInt64 = 1 << position
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
