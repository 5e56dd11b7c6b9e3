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
