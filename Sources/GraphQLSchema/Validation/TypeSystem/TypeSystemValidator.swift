/// The rules of chapter 3 about a whole schema, one function each.
struct TypeSystemValidator {
  let schema: ServiceSchema
  var diagnostics: DiagnosticCollector
  /// Whether a field is repeated with the same signature, which only causes a warning.
  var foundRepeatedFields = false
  /// The fields of all object and interface types.
  let fields: [Members<FieldDefinition>]
  /// The arguments of all fields and directives, and the fields of all input objects.
  let inputValues: [Members<InputValueDefinition>]

  init(schema: ServiceSchema, diagnostics: DiagnosticCollector) {
    self.schema = schema
    self.diagnostics = diagnostics
    var fields: [Members<FieldDefinition>] = []
    var inputValues: [Members<InputValueDefinition>] = []
    for type in schema.types.elements {
      let name = type.name
      if let definitions = type.fields?.elements {
        fields.append(Members(owner: .type(name), elements: definitions))
        for position in definitions.indices where !definitions[position].arguments.isEmpty {
          inputValues.append(
            Members(
              owner: .field(type: name, name: definitions[position].name),
              elements: definitions[position].arguments.elements))
        }
      }
      if case .inputObject(let input) = type {
        inputValues.append(Members(owner: .type(name), elements: input.fields.elements))
      }
    }
    for directive in schema.directives.elements {
      inputValues.append(
        Members(owner: .directive(directive.name), elements: directive.arguments.elements))
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
