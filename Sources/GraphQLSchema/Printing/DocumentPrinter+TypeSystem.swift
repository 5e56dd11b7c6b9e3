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
