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
