extension TypeSystemValidator {
  /// Objects, interfaces and input objects have fields (sections 3.6, 3.7, 3.10).
  mutating func fieldsNonEmpty() {
    for type in schema.types.elements {
      let isEmpty: Bool
      switch type {
      case .object(let object): isEmpty = object.fields.isEmpty
      case .interface(let interface): isEmpty = interface.fields.isEmpty
      case .inputObject(let input): isEmpty = input.fields.isEmpty
      case .scalar, .union, .enum: continue
      }
      guard isEmpty else { continue }
      diagnostics.add(
        "FieldsNonEmpty", "\(quoted(type.name)) must have at least one field.", at: type.nameRange)
    }
  }

  /// The types of fields are defined and are output types (sections 3.4.2, 3.6, 3.7).
  mutating func outputFieldTypes() {
    for members in fields {
      for position in members.indices {
        check(
          members.elements[position].type, at: members.elements[position].typeRange,
          of: members.coordinate(at: position), "OutputFieldTypes", \.isOutputType,
          "an output type")
      }
    }
  }

  /// The types of arguments and input fields are defined and are input types (sections 3.4.2, 3.6,
  /// 3.10, 3.13).
  mutating func inputValueTypes() {
    for members in inputValues {
      // A subgraph of a federation imports types such as federation__FieldSet with `@link`.
      let knownTypes = isForSchemas(members.owner) ? "DirectiveArgumentTypes" : "KnownTypes"
      for position in members.indices {
        check(
          members.elements[position].type, at: members.elements[position].typeRange,
          of: members.coordinate(at: position), "InputValueTypes", knownTypes: knownTypes,
          \.isInputType, "an input type")
      }
    }
  }

  /// Required arguments and input fields are not deprecated (sections 3.6, 3.10, 3.13.3).
  mutating func requiredNotDeprecated() {
    for members in inputValues {
      for position in members.indices where members.elements[position].isRequired {
        guard let directive = members.elements[position].directives["deprecated"] else { continue }
        let name = members.coordinate(at: position).description
        diagnostics.add(
          "RequiredNotDeprecated",
          "\(quoted(name)) is required, so it cannot be deprecated.",
          at: directive.range, suggestion: "Make its type nullable, or give it a default value.")
      }
    }
  }

  /// Default values have their type (sections 3.6, 3.10).
  mutating func defaultValues() {
    for members in inputValues {
      for position in members.indices {
        guard let defaultValue = members.elements[position].defaultValue else { continue }
        var checker = ValueChecker(schema: schema)
        checker.check(defaultValue, as: members.elements[position].type)
        for problem in checker.problems {
          let name = members.coordinate(at: position).description
          diagnostics.add(
            "DefaultValues", "The default value of \(quoted(name)) is invalid: \(problem.message)",
            at: problem.range, suggestion: problem.suggestion())
        }
      }
    }
  }

  /// Whether the members are arguments of a directive that no document applies.
  private func isForSchemas(_ owner: Owner) -> Bool {
    guard case .directive(let name) = owner, let directive = schema.directives[name] else {
      return false
    }
    return !directive.locations.contains(where: \.isExecutable)
  }

  private mutating func check(
    _ reference: TypeReference, at range: SourceRange,
    of coordinate: @autoclosure () -> SchemaCoordinate,
    _ rule: String, knownTypes: String = "KnownTypes",
    _ isAllowed: (NamedType) -> Bool, _ wanted: String
  ) {
    let name = reference.namedType
    guard let type = schema.type(named: name) else {
      return reportUnknownType(name, at: range, as: knownTypes, isAllowed)
    }
    if isAllowed(type) { return }
    diagnostics.add(
      rule,
      "The type of \(quoted(coordinate().description)) must be \(wanted); \(quoted(name)) is "
        + "\(type.kind.phrase).",
      at: range)
  }

  mutating func reportUnknownType(
    _ name: String, at range: SourceRange, as rule: String = "KnownTypes",
    _ isCandidate: (NamedType) -> Bool
  ) {
    let schema = schema
    func candidates() -> [String] {
      (schema.types.elements + BuiltIn.types.elements.prefix { !$0.name.hasPrefix("__") })
        .filter(isCandidate).map(\.name)
    }
    diagnostics.add(
      rule, "Unknown type \(quoted(name)).", at: range,
      suggestion: didYouMean(name, among: candidates()))
  }
}

extension TypeSystemValidator {
  /// A union has members; they are unique object types (section 3.8).
  mutating func unionMembers() {
    for case .union(let union) in schema.types.elements {
      if union.members.isEmpty {
        diagnostics.add(
          "MembersNonEmpty", "\(quoted(union.name)) must have at least one member.",
          at: union.nameRange)
      }
      reportDuplicates("member", union.members, of: union.name, code: "UnionMembers")
      for member in union.members.elements {
        guard let type = schema.type(named: member.name) else {
          reportUnknownType(member.name, at: member.range) { $0.kind == .object }
          continue
        }
        if type.kind == .object { continue }
        diagnostics.add(
          "UnionMembers",
          "The members of \(quoted(union.name)) must be object types; \(quoted(member.name)) is "
            + "\(type.kind.phrase).",
          at: member.range)
      }
    }
  }

  /// An enum has values, none of them called `true`, `false` or `null` (section 3.9).
  mutating func enumValueNames() {
    for case .enum(let enumType) in schema.types.elements {
      if enumType.values.isEmpty {
        diagnostics.add(
          "ValuesNonEmpty", "\(quoted(enumType.name)) must have at least one value.",
          at: enumType.nameRange)
      }
      for value in enumType.values.elements
      where value.name == "true" || value.name == "false" || value.name == "null" {
        diagnostics.add(
          "EnumValueNames",
          "\(quoted(enumType.name)) cannot have a value \(quoted(value.name)).",
          at: value.nameRange)
      }
    }
  }
}

extension TypeSystemValidator {
  /// The owners of members: a type of its fields, a field or a directive of its arguments.
  enum Owner {
    case type(String)
    case field(type: String, name: String)
    case directive(String)

    /// The name of a member within the schema.
    func coordinate(of name: String) -> SchemaCoordinate {
      switch self {
      case .type(let type): .member(type: type, name: name)
      case .field(let type, let field): .argument(type: type, field: field, name: name)
      case .directive(let directive): .directiveArgument(directive: directive, name: name)
      }
    }
  }

  /// The members of one owner. The rules visit them by position, which copies only the parts that
  /// they need: a member has a dozen references.
  struct Members<Element> {
    let owner: Owner
    let elements: [Element]

    var indices: Range<Int> { elements.indices }
  }
}

extension TypeSystemValidator.Members where Element: NamedElement {
  func coordinate(at position: Int) -> SchemaCoordinate {
    owner.coordinate(of: elements[position].name)
  }
}
