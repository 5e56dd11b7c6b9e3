import GraphQLSchema

extension Planner {
  func enumeration(_ type: EnumType) -> EnumPlan {
    var scope = NameScope(reserved: ReservedNames.enumCases)
    let values = type.values.elements
    let cases = scope.claimAll(values.map { wantedNames[.member(type: type.name, name: $0.name)] })
    return EnumPlan(
      schemaName: type.name, name: names.type(type.name),
      documentation: Documentation(description: type.description),
      cases: zip(values, cases).map { value, name in
        EnumCasePlan(
          schemaName: value.name, name: SwiftKeywords.spelled(name),
          documentation: Documentation(description: value.description),
          deprecation: value.deprecationReason)
      })
  }

  /// Plans an input object. Its initialiser has a parameter per field. A field that may be left out
  /// is optional (section 3.10).
  func inputObject(_ type: InputObjectType) -> InputObjectPlan {
    var scope = NameScope(reserved: ReservedNames.inputProperties)
    let fields = type.fields.elements
    let wanted = fields.map { wantedNames[.member(type: type.name, name: $0.name)] }
    let properties = scope.claimAll(wanted)
    let arguments = plan(fields, named: wanted, labels: [])
    return InputObjectPlan(
      schemaName: type.name, name: names.type(type.name),
      documentation: Documentation(description: type.description),
      initializer: documentation(
        arguments.allSatisfy(\.isRequired)
          ? "Takes a value for each field."
          : "Takes values for the fields to send.",
        of: fields, named: arguments),
      fields: fields.indices.map { index in
        InputFieldPlan(
          argument: arguments[index], property: SwiftKeywords.spelled(properties[index]),
          documentation: Documentation(
            description: fields[index].description, notes: defaultNotes(fields[index])),
          deprecation: fields[index].deprecationReason)
      })
  }

  /// Plans a `@oneOf` input object: an enum, since exactly one field is given (section 3.10.1).
  func oneOf(_ type: InputObjectType) -> OneOfPlan {
    var scope = NameScope(reserved: ReservedNames.oneOfCases)
    let fields = type.fields.elements
    let cases = scope.claimAll(fields.map { wantedNames[.member(type: type.name, name: $0.name)] })
    let isIndirect = fields.contains { field in
      if case .inputObject(let input)? = schema.typesByName[field.type.namedType] {
        return input.isOneOf
      }
      return false
    }
    return OneOfPlan(
      schemaName: type.name, name: names.type(type.name),
      documentation: Documentation(description: type.description),
      cases: zip(fields, cases).map { field, name in
        OneOfCasePlan(
          schemaName: field.name, name: SwiftKeywords.spelled(name),
          type: types.input(field.type).madeRequired,
          documentation: Documentation(description: field.description),
          deprecation: field.deprecationReason)
      }, isIndirect: isIndirect)
  }
}
