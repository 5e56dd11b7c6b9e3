/// The rules of chapter 3 about a whole schema, one function each.
struct TypeSystemValidator {
  /// A definition and its name within the schema. The rules visit members by position, which copies
  /// only what they look at: a member holds a dozen references.
  struct Member<Element> {
    let coordinate: SchemaCoordinate
    let element: Element
  }

  let schema: Schema
  var diagnostics: DiagnosticCollector
  /// Whether a field is repeated with the same signature, which is only warned about.
  var foundRepeatedFields = false
  /// The fields of all object and interface types.
  let fields: [Member<FieldDefinition>]
  /// The arguments of all fields and directives, and the fields of all input objects.
  let inputValues: [Member<InputValueDefinition>]

  init(schema: Schema, diagnostics: DiagnosticCollector) {
    self.schema = schema
    self.diagnostics = diagnostics
    var fields: [Member<FieldDefinition>] = []
    var inputValues: [Member<InputValueDefinition>] = []
    // Members are large: growing would move each several times.
    fields.reserveCapacity(schema.types.elements.reduce(0) { $0 + ($1.fields?.count ?? 0) })
    for type in schema.types.elements {
      let name = type.name
      let definitions = type.fields?.elements ?? []
      for position in definitions.indices {
        let field = definitions[position].name
        fields.append(
          Member(
            coordinate: .member(type: name, name: field), element: definitions[position]))
        for argument in definitions[position].arguments.elements {
          let coordinate = SchemaCoordinate.argument(type: name, field: field, name: argument.name)
          inputValues.append(Member(coordinate: coordinate, element: argument))
        }
      }
      if case .inputObject(let input) = type {
        for field in input.fields.elements {
          inputValues.append(
            Member(coordinate: .member(type: name, name: field.name), element: field))
        }
      }
    }
    for directive in schema.directives.elements {
      for argument in directive.arguments.elements {
        let coordinate = SchemaCoordinate.directiveArgument(
          directive: directive.name, name: argument.name)
        inputValues.append(Member(coordinate: coordinate, element: argument))
      }
    }
    self.fields = fields
    self.inputValues = inputValues
  }

  mutating func validate() {
    queryRootType()
    uniqueOperationTypes()
    rootTypesAreObjects()
    rootTypesDiffer()

    validNames()
    reservedNames()
    fieldsNonEmpty()
    uniqueFieldNames()
    uniqueMemberNames()
    uniqueArgumentNames()
    outputFieldTypes()
    inputValueTypes()
    requiredNotDeprecated()
    defaultValues()

    interfacesAreInterfaces()
    uniqueInterfaces()
    interfacesWithoutCycles()
    transitiveInterfaces()
    implementedFields()

    unionMembers()
    enumValueNames()

    oneOfFields()
    inputObjectCycles()
    oneOfInhabitable()
    defaultValueCycles()

    directiveLocations()
    directiveDefinitionCycles()
    appliedDirectives()
  }
}
