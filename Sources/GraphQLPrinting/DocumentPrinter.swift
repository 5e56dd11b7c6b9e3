public import GraphQLSchema

/// Writes documents in one canonical form: two spaces of indent, block strings for descriptions,
/// one member per line. Parsing the output gives the same document.
struct DocumentPrinter {
  private(set) var text = ""
  private var indentation = ""
  /// Whether `@deprecated` is written without its reason if that is the default one.
  var omitsDefaultReason = false

  mutating func write(_ text: String) { self.text += text }

  mutating func write(_ value: Document.Value) { text += value.description }

  /// Starts a line at the current indentation.
  mutating func startLine() {
    text += "\n"
    text += indentation
  }

  mutating func indent(_ body: (inout DocumentPrinter) -> Void) {
    let outer = indentation
    indentation += "  "
    body(&self)
    indentation = outer
  }

  /// `opening`, each element on its own line, `closing`; nothing if there are none.
  mutating func block<Element>(
    _ opening: String, _ elements: [Element], _ closing: String,
    _ element: (inout DocumentPrinter, Element) -> Void
  ) {
    if elements.isEmpty { return }
    write(opening)
    indent { printer in
      for item in elements {
        printer.startLine()
        element(&printer, item)
      }
    }
    startLine()
    write(closing)
  }

  mutating func write(_ document: [Document.Definition]) {
    for (position, definition) in document.enumerated() {
      if position > 0 { write("\n\n") }
      write(definition)
    }
    write("\n")
  }

  private mutating func write(_ definition: Document.Definition) {
    switch definition {
    case .operation(let operation): write(operation)
    case .fragment(let fragment): write(fragment)
    case .schema(let schema): write(schema, keyword: "schema")
    case .schemaExtension(let schema): write(schema, keyword: "extend schema")
    case .type(let type): write(type)
    case .directive(let directive): write(directive)
    case .typeExtension(let type):
      write("extend ")
      write(type)
    case .directiveExtension(let directive):
      write("extend directive @\(directive.name)")
      write(directive.directives)
    }
  }

  /// A description and the line break after it; a block string if it can represent the text.
  mutating func write(description: String?) {
    guard let description else { return }
    if let lines = blockStringLines(description) {
      write("\"\"\"")
      if lines.count == 1, fitsOneLine(lines[0]) {
        write(lines[0])
      } else {
        for line in lines {
          if line.isEmpty { write("\n") } else { startLine() }
          write(line)
        }
        startLine()
      }
      write("\"\"\"")
    } else {
      write(quotedString(description))
    }
    startLine()
  }

  private func fitsOneLine(_ line: String) -> Bool {
    line.utf8.count <= 80 && line.utf8.last != 0x22 && line.utf8.last != 0x5C
  }
}

extension Document {
  /// The text of the document in canonical form. Parsing it gives this document again; comments and layout are
  /// not kept.
  public var text: String {
    var printer = DocumentPrinter()
    printer.write(definitions)
    return printer.text
  }
}

extension DocumentPrinter {
  mutating func write(_ operation: OperationDefinition) {
    write(description: operation.description)
    let isShorthand =
      operation.operationType == .query && operation.name == nil && operation.variables.isEmpty
      && operation.directives.isEmpty && operation.description == nil
    if !isShorthand {
      write(operation.operationType.rawValue)
      if operation.name != nil || !operation.variables.isEmpty { write(" ") }
      write(operation.name ?? "")
      write(operation.variables)
      write(operation.directives)
      write(" ")
    }
    write(operation.selectionSet)
  }

  private mutating func write(_ variables: [VariableDefinition]) {
    if variables.contains(where: { $0.description != nil }) {
      block("(", variables, ")") { $0.write($1) }
    } else if !variables.isEmpty {
      write("(")
      for (position, variable) in variables.enumerated() {
        if position > 0 { write(", ") }
        write(variable)
      }
      write(")")
    }
  }

  private mutating func write(_ variable: VariableDefinition) {
    write(description: variable.description)
    write("$\(variable.name): \(variable.type)")
    if let defaultValue = variable.defaultValue {
      write(" = ")
      write(defaultValue)
    }
    write(variable.directives)
  }

  mutating func write(_ fragment: FragmentDefinition) {
    write(description: fragment.description)
    write("fragment \(fragment.name) on \(fragment.typeCondition.name)")
    write(fragment.directives)
    write(" ")
    write(fragment.selectionSet)
  }

  private mutating func write(_ selectionSet: Document.SelectionSet) {
    block("{", selectionSet.selections, "}") { printer, selection in
      switch selection {
      case .field(let field): printer.write(field)
      case .fragmentSpread(let spread):
        printer.write("...\(spread.name)")
        printer.write(spread.directives)
      case .inlineFragment(let fragment):
        printer.write("...")
        if let typeCondition = fragment.typeCondition { printer.write(" on \(typeCondition.name)") }
        printer.write(fragment.directives)
        printer.write(" ")
        printer.write(fragment.selectionSet)
      }
    }
  }

  private mutating func write(_ field: Document.Field) {
    if let alias = field.alias { write("\(alias): ") }
    write(field.name)
    write(field.arguments)
    write(field.directives)
    if let selectionSet = field.selectionSet {
      write(" ")
      write(selectionSet)
    }
  }

  mutating func write(_ directives: [Document.Directive]) {
    for directive in directives {
      write(" @\(directive.name)")
      if omitsDefaultReason, directive.name == "deprecated",
        [directive].deprecationReason == defaultDeprecationReason
      {
        continue
      }
      write(directive.arguments)
    }
  }

  private mutating func write(_ arguments: [Document.Argument]) {
    if arguments.isEmpty { return }
    write("(")
    for (position, argument) in arguments.enumerated() {
      write(position > 0 ? ", \(argument.name): " : "\(argument.name): ")
      write(argument.value)
    }
    write(")")
  }
}

/// The lines of a block string for the text, with `"""` escaped; nil if no block string can
/// represent it.
///
/// A block string loses blank lines at both ends and the common indent of its lines, and turns
/// every line terminator into LF; control characters are easier to see as escapes.
func blockStringLines(_ text: String) -> [String]? {
  if text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }) {
    return nil
  }
  let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
  guard let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else {
    return nil
  }
  let isIndented = lines.allSatisfy { isBlank($0) || $0.first == 0x20 || $0.first == 0x09 }
  if isIndented { return nil }
  return lines.map { escapingTripleQuotes(Substring($0)) }
}

private func isBlank(_ line: Substring.UTF8View) -> Bool {
  line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
}

private func escapingTripleQuotes(_ line: Substring) -> String {
  guard line.utf8.contains(0x22) else { return String(line) }
  var result = ""
  var quotes = 0
  for scalar in line.unicodeScalars {
    quotes = scalar == "\"" ? quotes + 1 : 0
    result.unicodeScalars.append(scalar)
    if quotes == 3 {
      result.unicodeScalars.removeLast(3)
      result += "\\\"\"\""
      quotes = 0
    }
  }
  return result
}

extension DocumentPrinter {
  mutating func write(_ schema: SchemaDefinition, keyword: String) {
    write(description: schema.description)
    write(keyword)
    write(schema.directives)
    block(" {", schema.operationTypes, "}") { printer, root in
      printer.write("\(root.operationType.rawValue): \(root.type.name)")
    }
  }

  mutating func write(_ type: NamedType) {
    // The description of an extension is nil, so that "extend" can be written before.
    write(description: type.description)
    switch type {
    case .scalar(let scalar):
      write("scalar \(scalar.name)")
      write(scalar.directives)
    case .object(let object):
      write("type \(object.name)")
      write(object.interfaces)
      write(object.directives)
      write(object.fields)
    case .interface(let interface):
      write("interface \(interface.name)")
      write(interface.interfaces)
      write(interface.directives)
      write(interface.fields)
    case .union(let union):
      write("union \(union.name)")
      write(union.directives)
      write(members: union.members)
    case .enum(let enumType):
      write("enum \(enumType.name)")
      write(enumType.directives)
      block(" {", enumType.values.elements, "}") { printer, value in
        printer.write(description: value.description)
        printer.write(value.name)
        printer.write(value.directives)
      }
    case .inputObject(let input):
      write("input \(input.name)")
      write(input.directives)
      block(" {", input.fields.elements, "}") { $0.write($1) }
    }
  }

  private mutating func write(_ interfaces: NamedList<TypeName>) {
    if interfaces.isEmpty { return }
    write(" implements ")
    write(interfaces.elements.map(\.name).joined(separator: " & "))
  }

  /// The members on one line, or one per line if that would be long.
  private mutating func write(members: NamedList<TypeName>) {
    let names = members.elements.map(\.name)
    if names.isEmpty { return }
    let line = names.joined(separator: " | ")
    if line.utf8.count <= 70 { return write(" = \(line)") }
    write(" =")
    indent { printer in
      for name in names {
        printer.startLine()
        printer.write("| \(name)")
      }
    }
  }

  private mutating func write(_ fields: NamedList<FieldDefinition>) {
    block(" {", fields.elements, "}") { printer, field in
      printer.write(description: field.description)
      printer.write(field.name)
      printer.write(arguments: field.arguments)
      printer.write(": \(field.type)")
      printer.write(field.directives)
    }
  }

  /// The arguments on one line, or one per line if one has a description.
  private mutating func write(arguments: NamedList<InputValueDefinition>) {
    if arguments.isEmpty { return }
    if arguments.elements.contains(where: { $0.description != nil }) {
      return block("(", arguments.elements, ")") { $0.write($1) }
    }
    write("(")
    for (position, argument) in arguments.elements.enumerated() {
      if position > 0 { write(", ") }
      write(argument)
    }
    write(")")
  }

  private mutating func write(_ value: InputValueDefinition) {
    write(description: value.description)
    write("\(value.name): \(value.type)")
    if let defaultValue = value.defaultValue {
      write(" = ")
      write(defaultValue)
    }
    write(value.directives)
  }

  mutating func write(_ directive: DirectiveDefinition) {
    write(description: directive.description)
    write("directive @\(directive.name)")
    write(arguments: directive.arguments)
    write(directive.directives)
    if directive.isRepeatable { write(" repeatable") }
    write(" on ")
    write(directive.locations.map(\.rawValue).joined(separator: " | "))
  }
}

extension ServiceSchema {
  /// The schema as a type-system document in canonical form, without built-in definitions.
  ///
  /// The schema definition is left out if the default root type names give the same result (section
  /// 3.3.1).
  public var sdl: String {
    var definitions: [Document.Definition] = []
    if !hasDefaultDefinition { definitions.append(.schema(definition)) }
    definitions += directives.elements.map(Document.Definition.directive)
    definitions += types.elements.map(Document.Definition.type)
    var printer = DocumentPrinter()
    // An explicit default reason is equivalent to none.
    printer.omitsDefaultReason = true
    printer.write(definitions)
    return printer.text
  }

  /// Whether the schema definition adds nothing to the default root type names.
  private var hasDefaultDefinition: Bool {
    guard definition.description == nil, definition.directives.isEmpty else { return false }
    return OperationType.allCases.allSatisfy { operationType in
      let name = operationType.defaultRootTypeName
      let root = definition.operationTypes.first { $0.operationType == operationType }
      return root.map { $0.type.name == name } ?? !types.contains(name: name)
    }
  }
}
