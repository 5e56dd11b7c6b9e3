extension TypeSystemValidator {
  /// A field and the interface's field that it implements.
  struct Implementation {
    let type: String
    let field: FieldDefinition
    let interface: String
    let wanted: FieldDefinition

    var coordinate: String { "\(type).\(field.name)" }
    var wantedCoordinate: String { "\(interface).\(wanted.name)" }
  }

  /// The field's type is the interface's or stricter (section 3.6 IsValidImplementation 2.5).
  mutating func implementedFieldType(_ pair: Implementation) {
    if schema.isSubtype(pair.field.type, of: pair.wanted.type) { return }
    // Undefined types are reported by another rule.
    guard schema.namedType(of: pair.field.type) != nil,
      schema.namedType(of: pair.wanted.type) != nil
    else { return }
    diagnostics.add(
      "ImplementedFieldType",
      "The type of \(quoted(pair.coordinate)) must be a subtype of "
        + "\(quoted(pair.wanted.type.description)), which is the type of "
        + "\(quoted(pair.wantedCoordinate)); it is \(quoted(pair.field.type.description)).",
      at: pair.field.typeRange, notes: [("The interface's field is here.", pair.wanted.typeRange)])
  }

  /// The field has the interface's arguments with the same types (section 3.6
  /// IsValidImplementation 2.3).
  mutating func implementedArguments(_ pair: Implementation) {
    for wanted in pair.wanted.arguments.elements {
      guard let argument = pair.field.arguments[wanted.name] else {
        diagnostics.add(
          "ImplementedArguments",
          "\(quoted(pair.coordinate)) must have the argument \(quoted(wanted.name)) of "
            + "\(quoted(pair.wantedCoordinate)).",
          at: pair.field.nameRange,
          suggestion: didYouMean(wanted.name, among: pair.field.arguments.lazy.map(\.name)),
          notes: [("The interface's argument is here.", wanted.nameRange)])
        continue
      }
      if argument.type == wanted.type { continue }
      diagnostics.add(
        "ImplementedArguments",
        "The type of \(quoted("\(pair.coordinate)(\(argument.name):)")) must be "
          + "\(quoted(wanted.type.description)), as in \(quoted(pair.wantedCoordinate)); it is "
          + "\(quoted(argument.type.description)).",
        at: argument.typeRange, notes: [("The interface's argument is here.", wanted.typeRange)])
    }
  }

  /// Arguments that the interface's field does not have are not required (section 3.6
  /// IsValidImplementation 2.4).
  mutating func additionalArguments(_ pair: Implementation) {
    for argument in pair.field.arguments.elements
    where argument.isRequired && !pair.wanted.arguments.contains(name: argument.name) {
      diagnostics.add(
        "AdditionalArguments",
        "\(quoted("\(pair.coordinate)(\(argument.name):)")) must not be required, because "
          + "\(quoted(pair.wantedCoordinate)) does not have it.",
        at: argument.nameRange, suggestion: "Make its type nullable, or give it a default value.",
        notes: [("The interface's field is here.", pair.wanted.nameRange)])
    }
  }

  /// A field is deprecated only if the interface's field is (section 3.6 IsValidImplementation
  /// 2.6, new in the edition of September 2025).
  mutating func implementedDeprecation(_ pair: Implementation) {
    guard let directive = pair.field.directives["deprecated"],
      pair.wanted.directives["deprecated"] == nil
    else { return }
    diagnostics.add(
      "ImplementedDeprecation",
      "\(quoted(pair.coordinate)) cannot be deprecated, because \(quoted(pair.wantedCoordinate)) "
        + "is not.",
      at: directive.range,
      notes: [("The interface's field is here.", pair.wanted.nameRange)])
  }
}
