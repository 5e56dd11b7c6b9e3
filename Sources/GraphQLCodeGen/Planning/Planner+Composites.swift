import GraphQLSchema

extension Planner {
  /// Plans an object, interface or union.
  func composite(_ type: NamedType) -> CompositePlan {
    let name = type.name
    let kind: CompositePlan.Kind =
      switch type {
      case .interface: .interface
      case .union: .union
      default: .object
      }
    let fields = type.fields?.elements ?? []
    var methods = NameScope(reserved: ReservedNames.builderMethods)
    // By position, which copies no definition.
    let wanted = fields.indices.map { wantedNames[.member(type: name, name: fields[$0].name)] }
    let fieldMethods = methods.claimAll(wantedMethods(fields, of: name, named: wanted))
    let plans = plan(fields, of: type, named: wanted, methods: fieldMethods)
    return CompositePlan(
      kind: kind, schemaName: name, documentation: Documentation(description: type.description),
      queryClass: names.query(name), responseType: names.type(name),
      responseClass: kind == .object ? names.type(name) : names.unknown(name),
      protocols: protocols(of: type),
      fields: plans,
      conditions: kind == .object ? [] : conditions(on: type, methods: &methods),
      isIdentifiable: kind == .object && keys[name] == ["id"] && plans.contains(where: \.isID))
  }

  /// A builder method `include(alias:if:)` would make calls of `include(if:)` ambiguous.
  private func wantedMethods(
    _ fields: [FieldDefinition], of type: String, named wanted: [String]
  ) -> [String] {
    wanted.indices.map { position in
      let name = wanted[position]
      let clashes =
        ReservedNames.builderMethodsWithIf.contains(name)
        && fields[position].arguments.elements.contains {
          wantedNames[.argument(type: type, field: fields[position].name, name: $0.name)] == "if"
        }
      return clashes ? name + "_" : name
    }
  }

  private func plan(
    _ fields: [FieldDefinition], of owner: NamedType, named wanted: [String], methods: [String]
  ) -> [FieldPlan] {
    let type = owner.name
    var scope = NameScope(reserved: ReservedNames.accessors)
    let properties = scope.claimAll(wanted)
    var readers = NameScope()
    // By position, which copies no definition.
    return fields.indices.map { index in
      let name = fields[index].name
      let definitions = fields[index].arguments.elements
      let (accessor, swiftType, subfields) = types.output(fields[index].type)
      let reader =
        definitions.isEmpty ? nil : readers.claim(CaseConversion.aliasedReader(wanted[index]))
      let arguments = plan(
        definitions,
        named: definitions.map { wantedNames[.argument(type: type, field: name, name: $0.name)] },
        labels: ReservedNames.builderLabels)
      var documentation = documentation(
        fields[index].description, of: definitions, named: arguments)
      documentation.notes = Documentation.nullabilityNotes(
        owner.semanticNonNullLevels(of: fields[index]))
      return FieldPlan(
        schemaName: name, method: SwiftKeywords.spelled(methods[index]),
        property: SwiftKeywords.spelled(properties[index]), aliasedReader: reader,
        arguments: arguments,
        subfields: subfields, accessor: accessor, type: swiftType,
        documentation: documentation, deprecation: fields[index].deprecationReason)
    }
  }

  /// Protocols of the interfaces and unions of a type, sorted by the names of these.
  private func protocols(of type: NamedType) -> [String] {
    let interfaces = type.interfaces?.elements.map(\.name) ?? []
    return (interfaces + (schema.unions[type.name] ?? [])).sorted().map(names.type)
  }

  /// One condition per object type that a value may have, and one per additional interface that it
  /// may implement (section 5.5.2.3: a fragment must be able to apply).
  private func conditions(on type: NamedType, methods: inout NameScope) -> [ConditionPlan] {
    overlaps[type.name].map { other in
      ConditionPlan(
        method: methods.claim(CaseConversion.condition(wantedNames[.type(other)])),
        schemaName: other,
        queryClass: names.query(other))
    }
  }
}

extension FieldPlan {
  /// Whether the property is `id`, of the type `ID!`.
  fileprivate var isID: Bool { property == "id" && type == .named(RuntimeSymbols.id) }
}
