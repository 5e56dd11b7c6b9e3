// Safe: `part` gives a pointer to an element that exists during the call.
extension ServiceSchema {
  /// The field for a selection's name: one of the type's own, or a meta-field (section 4):
  /// `__typename` on every composite type, `__schema` and `__type` on the query root.
  package func selectableField(named name: String, on type: NamedType) -> FieldDefinition? {
    if let field = type.fields?[name] { return field }
    guard name.hasPrefix("__"), type.isCompositeType else { return nil }
    if name == "__typename" { return MetaField.typename }
    return isQueryRoot(type) ? MetaField.ofQueryRoot[name] : nil
  }

  /// The type of `selectableField`, without a copy of the definition.
  package func typeOfSelectableField(named name: String, on type: NamedType) -> TypeReference? {
    if let fields = type.fields, let position = fields.position(of: name) {
      return unsafe fields.part(at: position) { unsafe $0.pointee.type }
    }
    return name.hasPrefix("__") ? selectableField(named: name, on: type)?.type : nil
  }

  /// The type and the arguments of `selectableField`, without a copy of the definition.
  func signature(ofField name: String, on type: NamedType) -> FieldSignature? {
    if let fields = type.fields, let position = fields.position(of: name) {
      return unsafe fields.part(at: position) {
        unsafe FieldSignature(type: $0.pointee.type, arguments: $0.pointee.arguments)
      }
    }
    return selectableField(named: name, on: type).map {
      FieldSignature(type: $0.type, arguments: $0.arguments)
    }
  }

  private func isQueryRoot(_ type: NamedType) -> Bool {
    definition.operationTypes.contains {
      $0.operationType == .query && $0.type.name == type.name
    }
  }
}

/// The parts of a definition of a field that the rules need: a copy of all of it counts a dozen references.
struct FieldSignature {
  let type: TypeReference
  let arguments: NamedList<InputValueDefinition>
}

/// Fields that every schema has without listing them (sections 4.1 and 4.2).
private enum MetaField {
  static let typename = FieldDefinition(name: "__typename", type: .nonNull(.named("String")))

  static let ofQueryRoot: NamedList<FieldDefinition> = [
    FieldDefinition(name: "__schema", type: .nonNull(.named("__Schema"))),
    FieldDefinition(
      name: "__type",
      arguments: [InputValueDefinition(name: "name", type: .nonNull(.named("String")))],
      type: .named("__Type")),
  ]
}
