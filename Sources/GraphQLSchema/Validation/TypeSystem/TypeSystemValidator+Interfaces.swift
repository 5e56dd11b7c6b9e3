extension TypeSystemValidator {
  /// The interfaces of a type are defined and are interfaces (sections 3.6, 3.7).
  mutating func interfacesAreInterfaces() {
    for type in schema.types.elements {
      for interface in type.interfaces?.elements ?? [] {
        guard let target = schema.type(named: interface.name) else {
          reportUnknownType(interface.name, at: interface.range) { $0.kind == .interface }
          continue
        }
        if target.kind == .interface { continue }
        diagnostics.add(
          "InterfacesAreInterfaces",
          "\(quoted(type.name)) cannot implement \(quoted(interface.name)): "
            + "it is \(target.kind.phrase).",
          at: interface.range)
      }
    }
  }

  /// A type implements each interface once (sections 3.6, 3.7).
  mutating func uniqueInterfaces() {
    for type in schema.types.elements {
      guard let interfaces = type.interfaces else { continue }
      reportDuplicates("interface", interfaces, of: type.name, code: "UniqueInterfaces")
    }
  }

  /// An interface does not implement itself, also not through others (section 3.7). Because of
  /// `transitiveInterfaces`, only the direct declaration has to be checked.
  mutating func interfacesWithoutCycles() {
    for case .interface(let type) in schema.types.elements {
      for interface in type.interfaces.elements {
        if interface.name == type.name {
          diagnostics.add(
            "InterfacesWithoutCycles", "\(quoted(type.name)) cannot implement itself.",
            at: interface.range)
        } else if schema.types[interface.name]?.interfaces?.contains(name: type.name) == true {
          diagnostics.add(
            "InterfacesWithoutCycles",
            "\(quoted(type.name)) cannot implement \(quoted(interface.name)), which implements it.",
            at: interface.range)
        }
      }
    }
  }

  /// A type declares the interfaces of its interfaces, too (section 3.6 IsValidImplementation 1).
  mutating func transitiveInterfaces() {
    for type in schema.types.elements {
      guard let interfaces = type.interfaces else { continue }
      for interface in interfaces.elements {
        for inherited in schema.types[interface.name]?.interfaces?.elements ?? []
        where !interfaces.contains(name: inherited.name) && inherited.name != type.name {
          diagnostics.add(
            "TransitiveInterfaces",
            "\(quoted(type.name)) must also implement \(quoted(inherited.name)), because "
              + "\(quoted(interface.name)) does.",
            at: interface.range, notes: [("It is declared here.", inherited.range)])
        }
      }
    }
  }

  /// A type has the fields of its interfaces (section 3.6 IsValidImplementation 2).
  mutating func implementedFields() {
    for type in schema.types.elements {
      guard let fields = type.fields, let interfaces = type.interfaces else { continue }
      for interface in interfaces.elements where interface.name != type.name {
        guard case .interface(let target)? = schema.types[interface.name] else { continue }
        for wanted in target.fields.elements {
          guard let field = fields[wanted.name] else {
            diagnostics.add(
              "ImplementedFields",
              "\(quoted(type.name)) must have the field \(quoted(wanted.name)) of its interface "
                + "\(quoted(target.name)).",
              at: type.nameRange,
              suggestion: didYouMean(wanted.name, among: fields.lazy.map(\.name)),
              notes: [("The interface's field is here.", wanted.nameRange)])
            continue
          }
          let pair = Implementation(
            type: type.name, field: field, interface: target.name, wanted: wanted)
          implementedFieldType(pair)
          implementedArguments(pair)
          additionalArguments(pair)
          implementedDeprecation(pair)
        }
      }
    }
  }
}

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
