/// The types and references whose kind this edition does not know (section 4.2.2).
struct UnknownKinds {
  /// The names of such types in the list of types.
  var types: Set<String> = []
  /// The positions of such references. A reference may contradict the list of types, or have no name.
  var references: Set<UInt32> = []
  /// Input objects with a required field whose type cannot be used.
  fileprivate var inputs: Set<String> = []

  fileprivate var isEmpty: Bool { types.isEmpty && references.isEmpty }

  fileprivate func contains(_ name: String, at range: SourceRange) -> Bool {
    references.contains(range.start) || types.contains(name)
  }
}

extension IntrospectionReader {
  /// Leaves out all uses of types of unknown kinds. Where such a type is required, a value can never
  /// be given, so a field or directive with such an argument is left out, and so is an input object
  /// with such a field, with its own uses.
  mutating func leavingOutUnknownKinds(
    _ definitions: [Document.Definition]
  ) -> [Document.Definition] {
    if unknownKinds.isEmpty { return definitions }
    findInputs(in: definitions)
    return definitions.compactMap { definition in
      switch definition {
      case .type(let type): usable(type).map { .type($0) }
      case .directive(let directive): usable(directive).map { .directive($0) }
      default: definition
      }
    }
  }

  /// Finds the input objects that require a type of an unknown kind, directly or through others.
  private mutating func findInputs(in definitions: [Document.Definition]) {
    typealias Use = (input: InputObjectType, field: InputValueDefinition)
    var pending: [Use] = []
    var uses: [String: [Use]] = [:]
    for case .type(.inputObject(let input)) in definitions {
      for field in input.fields.elements where field.isRequired {
        let name = field.type.namedType
        if unknownKinds.contains(name, at: field.typeRange) {
          pending.append((input, field))
        } else {
          uses[name, default: []].append((input, field))
        }
      }
    }
    while let (input, field) = pending.popLast() {
      guard unknownKinds.inputs.insert(input.name).inserted else { continue }
      report(.type(input.name), requiring: "input field", field.name, at: input.nameRange)
      pending += uses[input.name] ?? []
    }
  }

  private mutating func usable(_ type: NamedType) -> NamedType? {
    let name = type.name
    switch type {
    case .object(var type):
      type.interfaces = usable(type.interfaces, "interface", of: name)
      type.fields = usable(type.fields, of: name)
      return .object(type)
    case .interface(var type):
      type.interfaces = usable(type.interfaces, "interface", of: name)
      type.fields = usable(type.fields, of: name)
      return .interface(type)
    case .union(var type):
      type.members = usable(type.members, "member", of: name)
      return .union(type)
    case .inputObject(var type):
      if unknownKinds.inputs.contains(name) { return nil }
      type.fields = usable(type.fields) { .member(type: name, name: $0) }.values
      return .inputObject(type)
    case .scalar, .enum: return type
    }
  }

  private mutating func usable(_ directive: DirectiveDefinition) -> DirectiveDefinition? {
    let name = directive.name
    let (arguments, required) = usable(directive.arguments) {
      .directiveArgument(directive: name, name: $0)
    }
    if let required {
      report(.directive(name), requiring: "argument", required, at: directive.nameRange)
      return nil
    }
    var directive = directive
    directive.arguments = arguments
    return directive
  }

  private mutating func usable(
    _ fields: NamedList<FieldDefinition>, of type: String
  ) -> NamedList<FieldDefinition> {
    var usableFields: [FieldDefinition] = []
    for var field in fields.elements {
      let name = field.name
      let coordinate = SchemaCoordinate.member(type: type, name: name)
      guard isUsable(field.type, at: field.typeRange, coordinate) else { continue }
      let (arguments, required) = usable(field.arguments) {
        .argument(type: type, field: name, name: $0)
      }
      if let required {
        report(coordinate, requiring: "argument", required, at: field.nameRange)
        continue
      }
      field.arguments = arguments
      usableFields.append(field)
    }
    return NamedList(usableFields)
  }

  /// The values that can be used, and the name of a required one that cannot.
  private mutating func usable(
    _ values: NamedList<InputValueDefinition>, _ coordinate: (String) -> SchemaCoordinate
  ) -> (values: NamedList<InputValueDefinition>, required: String?) {
    var usableValues: [InputValueDefinition] = []
    var required: String?
    for value in values.elements {
      if isUsable(value.type, at: value.typeRange, coordinate(value.name)) {
        usableValues.append(value)
      } else if value.isRequired {
        required = required ?? value.name
      }
    }
    return (NamedList(usableValues), required)
  }

  private mutating func usable(
    _ names: NamedList<TypeName>, _ what: String, of owner: String
  ) -> NamedList<TypeName> {
    var usableNames: [TypeName] = []
    for name in names.elements {
      if unknownKinds.contains(name.name, at: name.range) {
        diagnostics.add(
          "UnknownKind",
          "The \(what) \(quoted(name.name)) of \(quoted(owner)) cannot be used: its kind is unknown.",
          at: name.range)
      } else {
        usableNames.append(name)
      }
    }
    return NamedList(usableNames)
  }

  /// Whether a field or argument can have this type; reported if not.
  private mutating func isUsable(
    _ type: TypeReference, at range: SourceRange, _ coordinate: @autoclosure () -> SchemaCoordinate
  ) -> Bool {
    let name = type.namedType
    let reason: String
    if unknownKinds.contains(name, at: range) {
      reason = ": the kind of its type is unknown."
    } else if unknownKinds.inputs.contains(name) {
      reason = ", because its type \(quoted(name)) cannot."
    } else {
      return true
    }
    diagnostics.add(
      "UnknownKind", "\(quoted(coordinate().description)) cannot be used\(reason)", at: range)
    return false
  }

  private mutating func report(
    _ coordinate: SchemaCoordinate, requiring what: String, _ name: String, at range: SourceRange
  ) {
    diagnostics.add(
      "UnknownKind",
      "\(quoted(coordinate.description)) cannot be used, because its required \(what) "
        + "\(quoted(name)) cannot.", at: range)
  }
}
