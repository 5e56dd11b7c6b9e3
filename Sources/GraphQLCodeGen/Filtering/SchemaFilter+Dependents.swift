import GraphQLSchema

extension SchemaFilter {
  /// Removes references to removed types, until there are none.
  mutating func removeDependents() {
    var isChanged = true
    while isChanged {
      isChanged = false
      for name in sortedNames {
        guard let type = types[name] else { continue }
        let pruned = pruned(type)
        if pruned == type { continue }
        isChanged = true
        types[name] = pruned
      }
    }
    directives = directives.compactMap { pruned($0) }
  }

  private func isKept(_ type: TypeReference) -> Bool {
    let name = type.namedType
    return types[name] != nil || ServiceSchema.builtInTypes.contains(name: name)
  }

  /// The type without members that refer to removed types; nil if nothing is left of it.
  private mutating func pruned(_ type: NamedType) -> NamedType? {
    switch type {
    case .scalar, .enum: return type
    case .object(var object):
      object.fields = pruned(object.fields, of: object.name)
      object.interfaces = kept(object.interfaces)
      return object.fields.isEmpty ? vanished(object.name) : .object(object)
    case .interface(var interface):
      interface.fields = pruned(interface.fields, of: interface.name)
      interface.interfaces = kept(interface.interfaces)
      return interface.fields.isEmpty ? vanished(interface.name) : .interface(interface)
    case .union(var union):
      union.members = kept(union.members)
      return union.members.isEmpty ? vanished(union.name) : .union(union)
    case .inputObject(var input):
      let name = input.name
      input.fields = NamedList(
        input.fields.elements.filter { field in
          keeps(field, called: "input field `\(name).\(field.name)`")
        })
      return input.fields.isEmpty ? vanished(name) : .inputObject(input)
    }
  }

  private func kept(_ names: NamedList<TypeName>) -> NamedList<TypeName> {
    NamedList(names.elements.filter { types[$0.name] != nil })
  }

  private mutating func pruned(
    _ fields: NamedList<FieldDefinition>, of type: String
  ) -> NamedList<FieldDefinition> {
    var kept: [FieldDefinition] = []
    for var field in fields.elements {
      guard isKept(field.type) else {
        report.note(
          "FieldDropped",
          "`\(type).\(field.name)` is left out because its type `\(field.type.namedType)` is left out."
        )
        continue
      }
      let coordinate = "\(type).\(field.name)"
      field.arguments = NamedList(
        field.arguments.elements.filter { argument in
          keeps(argument, called: "argument `\(argument.name)` of `\(coordinate)`")
        })
      kept.append(field)
    }
    return NamedList(kept)
  }

  /// Whether an argument or input field stays. A required one cannot be removed.
  private mutating func keeps(_ value: InputValueDefinition, called name: String) -> Bool {
    if isKept(value.type) { return true }
    let type = value.type.namedType
    if value.isRequired {
      report.error(
        "RequiredTypeDenied", "The \(name) is required, but its type `\(type)` is left out.",
        at: position(ofType: type))
    } else {
      report.note(
        "ArgumentDropped", "The \(name) is left out because its type `\(type)` is left out.")
    }
    return false
  }

  private mutating func pruned(_ directive: DirectiveDefinition) -> DirectiveDefinition? {
    var directive = directive
    if let broken = directive.arguments.elements.first(where: { $0.isRequired && !isKept($0.type) })
    {
      report.note(
        "DirectiveDropped",
        "`@\(directive.name)` is left out because the type of its argument `\(broken.name)` is left out."
      )
      return nil
    }
    directive.arguments = NamedList(directive.arguments.elements.filter { isKept($0.type) })
    return directive
  }

  private mutating func vanished(_ type: String) -> NamedType? {
    report.note("TypeDropped", "`\(type)` is left out because all its members are left out.")
    return nil
  }

  /// The entry of the deny list that names a type.
  private func position(ofType name: String) -> SourcePosition? {
    let entry = configuration.deny.first { $0.value.type == name && $0.value.field == nil }
    return entry?.position ?? configuration.allow.first?.position
  }
}
