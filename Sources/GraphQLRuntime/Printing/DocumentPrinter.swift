import GraphJSON

extension GraphQL {
  /// Prints an operation and the fragments that it uses (specification: 2 Language).
  ///
  /// For a request, the text is compact, with argument values as variables. Readable text is
  /// indented, with the values inline except those without a literal form.
  struct DocumentPrinter {
    enum Style: Sendable {
      case request, readable
    }

    private let style: Style
    private let schema: SchemaTable?
    private var body: [UInt8] = []
    /// The printed form of the operation's directives.
    private var directives: [UInt8] = []
    private var depth = 0
    private var variableList: VariableList
    /// The fragments in the order of their use; each is printed once.
    private var fragments: [FragmentDefinition] = []
    private var fragmentsByName: [String: FragmentDefinition] = [:]
    /// Fields that are printed with the same variables.
    private let equalFields: EqualFields
    /// The variables of such fields by argument, for those that are printed.
    private var sharedVariables: [ObjectIdentifier: [String: String]] = [:]
    private var path: [String] = []
    private(set) var problems: [InvalidQuery.Problem] = []
    /// The variables of plain selections; nil if another printing of them may give a different
    /// text.
    var plainVariables: PrintedVariables? = PrintedVariables()
    /// The printed text.
    private(set) var document = ""

    init(_ style: Style, schema: SchemaTable?, equalFields: EqualFields = EqualFields()) {
      self.style = style
      self.schema = schema
      self.equalFields = equalFields
      variableList = VariableList(isCompact: style == .request, schema: schema)
      // An allocation of 1 KB or more takes longer.
      body.reserveCapacity(960)
    }

    var variables: [UInt8] { variableList.json }
    var uploads: [(path: String, upload: Upload)] { variableList.uploads }

    mutating func print(_ kind: OperationType, _ set: SelectionSet, header: OperationHeader?) {
      begin(header)
      print(set)
      printFragments()
      end(kind, header)
    }

    /// Prints the part before the selections. Both parts are kept separate, since the variables precede
    /// the selections but are known only after they are printed.
    mutating func begin(_ header: OperationHeader?) {
      guard let header, !header.directives.isEmpty else { return }
      print(directives: header.directives)
      swap(&directives, &body)
    }

    /// Combines the parts of the document: `query Name($first1: Int) @directive `, or nothing for a
    /// plain query, and the selections.
    mutating func end(_ kind: OperationType, _ header: OperationHeader?) {
      variableList.end()
      let definitions = variableList.definitions
      var head: [UInt8] = []
      head.reserveCapacity(definitions.count + directives.count + body.count + 64)
      if kind != .query || header?.name != nil || !directives.isEmpty || !definitions.isEmpty {
        head += kind.rawValue.utf8
        if let name = header?.name { head += " \(name)".utf8 }
        if !definitions.isEmpty {
          head += "(".utf8
          head += definitions
          head += ")".utf8
        }
        head += directives
        if style == .readable { head += " ".utf8 }
      }
      head += body
      document = String(decoding: head, as: UTF8.self)
    }

    /// Enters a nested selection set; false if it exceeds the depth that can be sent.
    mutating func enter() -> Bool {
      depth += 1
      return depth <= SelectionMerger.maximumDepth
    }

    mutating func leave() { depth -= 1 }

    private mutating func printFragments() {
      var printed = 0
      while printed < fragments.count {
        let fragment = fragments[printed]
        printed += 1
        put(style == .request ? " fragment " : "\n\nfragment ")
        path = ["...\(fragment.name)"]
        put(fragment.name)
        put(" on ")
        put(fragment.type?.name ?? "")
        if style == .readable { put(" ") }
        print(fragment.selectionSet)
      }
    }

    private mutating func print(_ set: SelectionSet) {
      put("{")
      depth += 1
      for (position, entry) in set.entries.enumerated() {
        separate(isFirst: position == 0)
        print(entry)
      }
      depth -= 1
      if style == .readable { newline() }
      put("}")
    }

    private mutating func print(_ entry: SelectionSet.Entry) {
      switch entry {
      case .field(let field):
        path.append(field.responseName)
        print(field)
        path.removeLast()
      case .inlineFragment(let type, let directives, let set):
        put(style == .request ? "...on " : "... on ")
        put(type)
        print(directives: directives)
        if style == .readable { put(" ") }
        print(set)
      case .spread(let fragment, let directives):
        put("...")
        put(fragment.name)
        print(directives: directives)
        note(fragment)
      }
    }

    /// Specification: 5.5.1.1 Fragment Name Uniqueness.
    private mutating func note(_ fragment: FragmentDefinition) {
      switch fragmentsByName[fragment.name] {
      case nil:
        fragmentsByName[fragment.name] = fragment
        fragments.append(fragment)
      case let known? where !known.isSame(as: fragment):
        report(["two different fragments have the name `\(fragment.name)`"])
      case _?: break
      }
    }

    private mutating func print(_ field: SelectionSet.Field) {
      if field.responseName != field.name {
        put(field.responseName)
        put(style == .request ? ":" : ": ")
      }
      put(field.name)
      if let raw = field.rawArguments { put(raw) }
      if !field.arguments.isEmpty {
        print(argumentsOf: field)
      }
      if !field.directives.isEmpty { print(directives: field.directives) }
      if let set = field.selectionSet {
        if style == .readable { put(" ") }
        print(set)
      }
    }

    private mutating func print(argumentsOf field: SelectionSet.Field) {
      let info = { field.info?.argument($0) }
      if equalFields.isEmpty { return print(arguments: field.arguments, info: info) }
      let set = equalFields.representative(of: field)
      var variables = sharedVariables[set] ?? [:]
      print(arguments: field.arguments, sharing: &variables, info: info)
      sharedVariables[set] = variables
    }

    private mutating func print(directives: [AppliedDirective]) {
      for directive in directives {
        put(" @")
        put(directive.name)
        guard !directive.arguments.isEmpty else { continue }
        let known = schema?.directive(directive.name)
        print(arguments: directive.arguments) { name in
          if directive.includes != nil { return .condition }
          // A label is part of the document: servers refuse a variable.
          if name == "label", directive.name == "defer" || directive.name == "stream" { return nil }
          return known?.first { $0.name == name }
        }
      }
    }

    private mutating func print(arguments: [Argument], info: (String) -> ArgumentInfo?) {
      var variables: [String: String] = [:]
      print(arguments: arguments, sharing: &variables, info: info)
    }

    /// - Parameter variables: the variables of arguments that are printed already; the others are
    ///   added.
    private mutating func print(
      arguments: [Argument], sharing variables: inout [String: String],
      info: (String) -> ArgumentInfo?
    ) {
      for (position, argument) in arguments.enumerated() {
        put(position == 0 ? "(" : style == .request ? "," : ", ")
        put(argument.name)
        put(style == .request ? ":" : ": ")
        if let variable = variables[argument.name] {
          put("$" + variable)
        } else {
          variables[argument.name] = print(argument, as: info(argument.name))
        }
      }
      put(")")
    }

    /// The value of an argument: a variable in a request, otherwise a literal if it has one. Returns
    /// the name of the variable.
    @discardableResult
    mutating func print(_ argument: Argument, as info: ArgumentInfo?) -> String? {
      if style == .readable || info == nil {
        var literal = ValueWriter(.literal, type: info?.type, schema: schema)
        argument.value._write(to: &literal)
        if !literal.needsVariable {
          report(literal.problems)
          body += literal.bytes
          return nil
        }
      }
      guard let info else {
        report(["argument `\(argument.name)` has a value without a literal form"])
        return nil
      }
      return printVariable(argument, as: info)
    }

    /// The value of the argument at a position of a builder's list as a variable.
    mutating func print(
      _ argument: Argument, as info: ArgumentInfo, _ list: Int, _ position: Int
    ) {
      let name = printVariable(argument, as: info)
      plainVariables?.append(name, list, position, as: info)
    }

    /// The value of an argument as a variable, whose name is returned.
    @discardableResult
    private mutating func printVariable(_ argument: Argument, as info: ArgumentInfo) -> String {
      let variable = variableList.add(argument, as: info)
      put(UInt8(ascii: "$"))
      put(variable.name)
      report(variable.problems)
      return variable.name
    }

    private mutating func report(_ messages: [String]) {
      for message in messages {
        problems.append(InvalidQuery.Problem(message: message, path: path))
      }
    }

    private mutating func separate(isFirst: Bool) {
      if style == .readable {
        newline()
      } else if !isFirst {
        put(" ")
      }
    }

    private mutating func newline() {
      put("\n")
      put(String(repeating: " ", count: depth * 2))
    }

    mutating func put(_ text: String) { body += text.utf8 }

    mutating func put(_ text: [UInt8]) { body += text }

    mutating func put(_ byte: UInt8) { body.append(byte) }
  }
}

extension GraphQL.FragmentDefinition {
  /// A document with the fragment, and with those that it spreads.
  func printed() -> GraphQL.DocumentPrinter {
    let spread = GraphQL.SelectionSet(type: type, entries: [.spread(self, directives: [])])
    var printer = GraphQL.DocumentPrinter(.readable, schema: schema)
    printer.print(.query, spread, header: nil)
    return printer
  }

  /// Whether both are the same fragment, with the same values of variables. Each fragment of a document that is spread
  /// has definitions of its own for those that it spreads.
  func isSame(as other: GraphQL.FragmentDefinition) -> Bool {
    if self === other { return true }
    guard schema === other.schema, type === other.type else { return false }
    let (mine, theirs) = (printed(), other.printed())
    // Swift's equality of strings does not distinguish all texts.
    return mine.document.utf8.elementsEqual(theirs.document.utf8)
      && mine.variables == theirs.variables
  }
}

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

extension GraphQL {
  /// Requests that were printed before. An app repeats the same few queries with other values. The
  /// values are variables, so the document has the same text and is not printed again.
  ///
  /// Plain selections are numbers, so comparing them takes a fraction of the time of printing.
  struct PrintedRequests: Sendable {
    private static let capacity = 16
    /// Selections above this number are not kept, which limits the memory.
    private static let largest = 1024

    private var requests: [PrintedRequest] = []
    /// The position of the request that is replaced next.
    private var oldest = 0

    /// The request with the selections of a builder, and the builder's arguments.
    func find(
      _ kind: OperationType, named name: String?, _ builder: AbstractQuery
    ) -> (request: PrintedRequest, arguments: [[PlacedArgument]])? {
      for position in requests.indices {
        let request = requests[position]
        if request.kind == kind, request.name == name,
          let arguments = request.selections.arguments(of: builder)
        {
          return (request, arguments)
        }
      }
      return nil
    }

    mutating func keep(_ request: PrintedRequest) {
      if request.selections.count > Self.largest { return }
      if requests.count < Self.capacity {
        requests.append(request)
      } else {
        requests[oldest] = request
        oldest = (oldest + 1) % Self.capacity
      }
    }
  }

  /// A document of plain selections, and the selections from which it was printed.
  final class PrintedRequest: Sendable {
    let kind: OperationType
    let name: String?
    let document: String
    let selections: PlainSelections
    private let variables: PrintedVariables?

    /// - Parameter variables: nil if another printing may give a different text.
    init(
      kind: OperationType, name: String?, document: String, selections: PlainSelections,
      variables: PrintedVariables?
    ) {
      self.kind = kind
      self.name = name
      self.document = document
      self.selections = selections
      self.variables = variables
    }

    /// Whether the same selections with other values have the same document.
    var isRepeatable: Bool { variables != nil }

    /// The variables as JSON with the values of `arguments`; nil when one of the values cannot be
    /// sent as it is. Printing reports that problem.
    func variables(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      variables?.json(arguments, in: schema)
    }
  }
}

extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  struct PrintedVariables: Sendable {
    private struct Variable {
      /// The end of its part of ``prefixes``.
      let prefixEnd: Int
      /// The list with the argument that has the value, and its position there.
      let list: Int
      let position: Int
      /// The type of the argument.
      let expected: ValueWriter.Expectation
    }

    private var variables: [Variable] = []
    /// The JSON before each value: `{"first1":,"after2":`.
    private var prefixes: [UInt8] = []

    /// Adds the variable for the argument at a position of a list.
    mutating func append(_ name: String, _ list: Int, _ position: Int, as info: ArgumentInfo) {
      if variables.isEmpty {
        variables.reserveCapacity(8)
        prefixes.reserveCapacity(128)
      }
      prefixes.append(UInt8(ascii: variables.isEmpty ? "{" : ","))
      prefixes.append(UInt8(ascii: "\""))
      prefixes += name.utf8
      prefixes.append(UInt8(ascii: "\""))
      prefixes.append(UInt8(ascii: ":"))
      variables.append(
        Variable(
          prefixEnd: prefixes.count, list: list, position: position,
          expected: ValueWriter.Expectation(info.type)))
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      var start = 0
      for variable in variables {
        writer.member(prefix: prefixes[start..<variable.prefixEnd])
        start = variable.prefixEnd
        writer.expected = variable.expected
        arguments[variable.list][variable.position].argument.value._write(to: &writer)
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}

extension GraphQL {
  /// The variables of one document, in the order in which they are printed.
  ///
  /// A variable is named after its argument with its ordinal, so that equal values stay separate
  /// and the text does not depend on values. Fields that a server merges are printed with the same
  /// variables: see ``EqualFields``.
  struct VariableList {
    private let isCompact: Bool
    private var count = 0
    private var writer: ValueWriter
    /// The JSON object, once ``end()`` was called.
    private(set) var json: [UInt8] = []
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// `$first1: Int, $after2: String`.
    private(set) var definitions: [UInt8] = []

    /// - Parameter isCompact: whether the definitions are written without spaces.
    init(isCompact: Bool, schema: SchemaTable?) {
      self.isCompact = isCompact
      writer = ValueWriter(.json, schema: schema)
    }

    mutating func end() { json = writer.takeMembers() }

    /// Adds a variable for an argument, and returns its name and the problems with its value.
    mutating func add(
      _ argument: Argument, as info: ArgumentInfo
    ) -> (name: String, problems: [String]) {
      count += 1
      if count == 1 { definitions.reserveCapacity(Self.usualSize) }
      var name = argument.name
      // Names stay distinct because of their ordinals, as long as those can be distinguished from
      // the names.
      if let last = name.utf8.last, Name.isDigit(last) { name += "_" }
      name += String(count)
      if count > 1 { separate(UInt8(ascii: ",")) }
      definitions.append(UInt8(ascii: "$"))
      definitions += name.utf8
      separate(UInt8(ascii: ":"))
      definitions += info.type.text.utf8
      writer.member(variable: name)
      writer.write(argument, as: info)
      guard let found = writer.takeFindings() else { return (name, []) }
      uploads += found.uploads.map { upload in
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }
        return (path.joined(separator: "."), upload.upload)
      }
      return (name, found.problems.map { "argument `\(argument.name)`: \($0)" })
    }

    /// Enough for the definitions of most operations.
    private static let usualSize = 256

    private mutating func separate(_ byte: UInt8) {
      definitions.append(byte)
      if !isCompact { definitions.append(UInt8(ascii: " ")) }
    }
  }
}
