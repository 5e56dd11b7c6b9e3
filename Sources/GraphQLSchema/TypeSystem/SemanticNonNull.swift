extension NamedType {
  /// The levels of a field's type that are null only with an error, as `@semanticNonNull` at the field
  /// or `@semanticNonNullField` at the type states (a proposal for the specification): 0 is the value,
  /// 1 an item of its list.
  package func semanticNonNullLevels(of field: FieldDefinition) -> Set<Int> {
    if field.directives.isEmpty, directives.isEmpty { return [] }
    let ofType = directives.filter {
      $0.name == "semanticNonNullField" && $0.argument("name")?.kind == .string(field.name)
    }
    let applied = field.directives.filter { $0.name == "semanticNonNull" } + ofType
    return Set(applied.flatMap(\.levels))
  }
}

extension Document.Directive {
  /// The argument `levels`, whose default value is `[0]`.
  fileprivate var levels: [Int] {
    guard let argument = argument("levels") else { return [0] }
    guard case .list(let items) = argument.kind else { return [argument].compactMap(\.integer) }
    return items.compactMap(\.integer)
  }
}

extension Document.Value {
  fileprivate var integer: Int? { if case .int(let digits) = kind { Int(digits) } else { nil } }
}
