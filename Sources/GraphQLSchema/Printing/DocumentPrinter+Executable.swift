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
