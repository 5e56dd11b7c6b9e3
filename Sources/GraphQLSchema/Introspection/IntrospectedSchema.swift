extension ServiceSchema {
  /// The types that introspection lists: the schema's own, the built-in scalars that are used
  /// (section 3.5) and introspection's.
  package var introspectedTypes: [NamedType] {
    let own = types.elements
    let meta = BuiltIn.types.filter { !BuiltIn.isScalar($0.name) }
    var used: Set<String> = []
    for type in own + meta {
      for field in type.fields?.elements ?? [] {
        used.insert(field.type.namedType)
        for argument in field.arguments.elements { used.insert(argument.type.namedType) }
      }
      if case .inputObject(let input) = type {
        for field in input.fields.elements { used.insert(field.type.namedType) }
      }
    }
    for directive in directives.elements {
      for argument in directive.arguments.elements { used.insert(argument.type.namedType) }
    }
    return own + BuiltIn.types.filter { BuiltIn.isScalar($0.name) && used.contains($0.name) } + meta
  }

  /// The directives that introspection lists: the schema's own and the built-in ones. The type of an
  /// argument cannot be described if it is not defined; then the directive is left out.
  package var introspectedDirectives: [DirectiveDefinition] {
    directives.elements.filter { directive in
      directive.arguments.elements.allSatisfy { namedType(of: $0.type) != nil }
    } + BuiltIn.directives.filter { !directives.contains(name: $0.name) }
  }
}
