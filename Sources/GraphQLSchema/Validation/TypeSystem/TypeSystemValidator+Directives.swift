extension TypeSystemValidator {
  /// A directive definition has locations (section 3.13).
  mutating func directiveLocations() {
    for directive in schema.directives.elements where directive.locations.isEmpty {
      diagnostics.add(
        "DirectiveLocations",
        "\(quoted("@" + directive.name)) must have at least one location.", at: directive.nameRange)
    }
  }

  /// A directive definition does not use itself: in its own arguments, or in a type or directive
  /// that these use (section 3.13).
  mutating func directiveDefinitionCycles() {
    let directives = schema.directives.elements
    if directives.isEmpty { return }
    var index: [SchemaCoordinate: Int] = [:]
    for directive in directives { index[.directive(directive.name)] = index.count }
    for type in schema.types.elements where type.isInputType {
      index[.type(type.name)] = index.count
    }
    let used =
      directives.map { uses(of: $0.arguments) + uses(of: $0.directives) }
      + schema.types.elements.filter(\.isInputType).map { uses(of: $0) }
    let graph = DirectedGraph(successors: used.map { $0.compactMap { index[$0] } })
    for component in graph.cyclicComponents() {
      // Input objects may refer to each other; only a cycle with a directive in it is wrong.
      guard let first = component.first, first < directives.count else { continue }
      diagnostics.add(
        "DirectiveDefinitionCycles",
        "\(quoted("@" + directives[first].name)) cannot be used in its own definition.",
        at: directives[first].nameRange)
    }
  }

  /// The directives and types that a type mentions.
  private func uses(of type: NamedType) -> [SchemaCoordinate] {
    var uses = uses(of: type.directives)
    switch type {
    case .inputObject(let input): uses += self.uses(of: input.fields)
    case .enum(let enumType):
      for value in enumType.values.elements { uses += self.uses(of: value.directives) }
    case .scalar, .object, .interface, .union: break
    }
    return uses
  }

  private func uses(of values: NamedList<InputValueDefinition>) -> [SchemaCoordinate] {
    values.elements.flatMap { [.type($0.type.namedType)] + uses(of: $0.directives) }
  }

  private func uses(of directives: [Document.Directive]) -> [SchemaCoordinate] {
    directives.map { .directive($0.name) }
  }

  /// Every applied directive in the schema satisfies the rules of ``DirectiveChecker``.
  mutating func appliedDirectives() {
    check(schema.definition.directives, at: .schema)
    for directive in schema.directives.elements {
      check(directive.directives, at: .directiveDefinition)
    }
    for type in schema.types.elements {
      switch type {
      case .scalar: check(type.directives, at: .scalar)
      case .object: check(type.directives, at: .object)
      case .interface: check(type.directives, at: .interface)
      case .union: check(type.directives, at: .union)
      case .inputObject: check(type.directives, at: .inputObject)
      case .enum(let enumType):
        check(type.directives, at: .enum)
        for value in enumType.values.elements { check(value.directives, at: .enumValue) }
      }
    }
    for members in fields {
      for position in members.indices {
        check(members.elements[position].directives, at: .fieldDefinition)
      }
    }
    for members in inputValues {
      let location: DirectiveLocation =
        if case .type = members.owner { .inputFieldDefinition } else { .argumentDefinition }
      for position in members.indices {
        check(members.elements[position].directives, at: location)
      }
    }
  }

  private mutating func check(_ directives: [Document.Directive], at location: DirectiveLocation) {
    if directives.isEmpty { return }
    var checker = DirectiveChecker(schema: schema, diagnostics: diagnostics)
    checker.check(directives, at: location)
    diagnostics = checker.diagnostics
  }
}
