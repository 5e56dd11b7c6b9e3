#if !ONE_MODULE
  import GraphQLSchema
#endif

/// Decides everything: turns the selected part of a schema into a plan. A class, since it has many
/// tables and functions that are passed on capture them.
final class Planner {
  let schema: SelectedSchema
  let configuration: Configuration
  let names: TypeNames
  let wantedNames: WantedNames
  let types: TypeResolver
  let overlaps: Overlaps
  let keys: TypeKeys

  private init(schema: SelectedSchema, configuration: Configuration) {
    self.schema = schema
    self.configuration = configuration
    names = TypeNames(schema: schema, configuration: configuration)
    wantedNames = WantedNames(configuration)
    types = TypeResolver(schema: schema, configuration: configuration, names: names)
    overlaps = Overlaps(schema: schema)
    keys = TypeKeys(schema: schema, configuration: configuration)
  }

  /// The plan for a schema whose names and configuration have been checked.
  static func plan(_ schema: SelectedSchema, configuration: Configuration) -> GenerationPlan {
    Planner(schema: schema, configuration: configuration).plan
  }

  private var plan: GenerationPlan {
    var plan = GenerationPlan(
      namespace: configuration.namespace, access: configuration.access,
      classes: configuration.classes, hasBuilders: configuration.builders,
      layout: configuration.layout, importedTypes: types.importedTypes,
      documentation: Documentation(description: schema.description), roots: roots, composites: [],
      enums: [], inputs: [], oneOfs: [], directives: directives,
      hasFieldDirectives: schema.directives.contains {
        $0.locations.contains(where: \.isSelection)
      },
      scalars: types.scalars, table: table,
      hiddenStandardTypes: names.hiddenStandardTypes)
    for type in schema.types {
      switch type {
      case .scalar: break
      case .object, .interface, .union: plan.composites.append(composite(type))
      case .enum(let type): plan.enums.append(enumeration(type))
      case .inputObject(let type) where type.isOneOf: plan.oneOfs.append(oneOf(type))
      case .inputObject(let type): plan.inputs.append(inputObject(type))
      }
    }
    return plan
  }

  private var roots: [RootPlan] {
    RootPlan.Operation.allCases.compactMap { operation in
      guard
        let name = OperationType(rawValue: operation.rawValue).flatMap({ schema.roots[$0] })
      else { return nil }
      return RootPlan(
        operation: operation, queryClass: names.query(name), responseClass: names.type(name))
    }
  }
}

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

extension Planner {
  /// Plans parameters of a function.
  ///
  /// - Parameters:
  ///   - wanted: Their names in Swift, if nothing else has them.
  ///   - labels: Additional labels of the function.
  func plan(
    _ arguments: [InputValueDefinition], named wanted: [String], labels: WordSet
  ) -> [ArgumentPlan] {
    if arguments.isEmpty { return [] }
    var labelScope = NameScope(reserved: labels)
    // Keywords are valid labels (`in:`, `self:`); only the underscore has another meaning. By
    // position, which copies no definition.
    let isFree = arguments.indices.map {
      wanted[$0] != "_" && labelScope.claimLabel(wanted[$0])
    }
    let labels = arguments.indices.map {
      isFree[$0] ? wanted[$0] : labelScope.claim(wanted[$0])
    }
    var variableScope = NameScope(reserved: ReservedNames.variables)
    let variables = variableScope.claimAll(labels)
    return arguments.indices.map { index in
      let type = types.input(arguments[index].type)
      let isRequired = arguments[index].isRequired
      return ArgumentPlan(
        schemaName: arguments[index].name, label: labels[index], variable: variables[index],
        type: isRequired ? type : type.madeOptional, isRequired: isRequired)
    }
  }

  /// Plans the directives for executable documents.
  var directives: [DirectivePlan] {
    var scope = NameScope(reserved: RuntimeSymbols.queryHelpers)
    let functions = scope.claimAll(schema.directives.map { wantedNames[.directive($0.name)] })
    return zip(schema.directives, functions).map { directive, function in
      let definitions = directive.arguments.elements
      let wanted = definitions.map {
        wantedNames[.directiveArgument(directive: directive.name, name: $0.name)]
      }
      let arguments = plan(definitions, named: wanted, labels: [])
      return DirectivePlan(
        schemaName: directive.name, function: SwiftKeywords.spelled(function),
        arguments: arguments,
        documentation: documentation(
          directive.description, of: definitions, named: arguments))
    }
  }
}

extension SwiftType {
  /// The type including nil.
  var madeOptional: SwiftType {
    if case .optional = self { self } else { .optional(self) }
  }

  /// The type without nil.
  package var madeRequired: SwiftType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }
}

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

extension Planner {
  /// The comment of a function: a description of it and its parameters.
  func documentation(
    _ description: String?, of arguments: [InputValueDefinition], named plans: [ArgumentPlan]
  ) -> Documentation {
    var documentation = Documentation(description: description)
    for (argument, plan) in zip(arguments, plans) {
      var notes = defaultNotes(argument)
      if let reason = argument.deprecationReason { notes.append(.deprecated(reason)) }
      if argument.description == nil, notes.isEmpty { continue }
      documentation.parameters.append(
        .init(name: plan.variable, description: argument.description, notes: notes))
    }
    return documentation
  }

  func defaultNotes(_ value: InputValueDefinition) -> [Documentation.Note] {
    value.defaultValue.map { [.defaultValue($0.description)] } ?? []
  }
}

extension Documentation {
  /// `@semanticNonNull` in words. Deeper levels than the items of a list are rare.
  static func nullabilityNotes(_ levels: Set<Int>) -> [Documentation.Note] {
    let (value, items) = (levels.contains(0), levels.contains(1))
    return value || items ? [.nullOnlyWithError(value: value, items: items)] : []
  }
}

/// The additional types that the values of an abstract type can have: its possible object types,
/// and the interfaces that one of these implements too (section 5.5.2.3).
struct Overlaps {
  private var types: [String: Set<String>] = [:]

  init(schema: SelectedSchema) {
    for case .object(let object) in schema.types {
      let interfaces = object.interfaces.elements.map(\.name)
      for abstract in interfaces + (schema.unions[object.name] ?? []) {
        types[abstract, default: [object.name]].insert(object.name)
        types[abstract]?.formUnion(interfaces)
      }
    }
  }

  /// Names of object types and interfaces, sorted, without the type itself.
  subscript(abstract: String) -> [String] {
    (types[abstract] ?? []).subtracting([abstract]).sorted()
  }

  /// The number of steps to find the overlaps. It grows, like the size of the generated code, with
  /// the square of the number of interfaces and unions of one object.
  static func cost(of schema: SelectedSchema) -> Int {
    var cost = 0
    for case .object(let object) in schema.types {
      let interfaces = object.interfaces.count
      cost += (interfaces + (schema.unions[object.name]?.count ?? 0)) * (interfaces + 1)
    }
    return cost
  }

  /// Hundreds of times the need of large schemas of real services.
  static let highestCost = 4_000_000
}

extension Planner {
  /// The lines of the schema table: the roots, then the types by name, then the directives, then the costs.
  ///
  /// The text contains only names, numbers and the punctuation of types.
  var table: [String] {
    let roots: [OperationType] = [.query, .mutation, .subscription]
    var lines = [">" + roots.map { schema.roots[$0] ?? "-" }.joined(separator: " ")]
    for type in schema.types { append(type, to: &lines) }
    for directive in schema.directives {
      var line: SourceText = "%\(directive.name)"
      append(directive.arguments.elements, to: &line)
      lines.append(line.string)
    }
    return lines + costs
  }

  private func append(_ type: NamedType, to lines: inout [String]) {
    switch type {
    case .object(let object):
      lines.append(
        words(["@" + object.name] + sortedNames(object.interfaces) + attributes(of: object)))
      append(object.fields.elements, to: &lines)
    case .interface(let interface):
      lines.append(words(["&" + interface.name] + sortedNames(interface.interfaces)))
      append(interface.fields.elements, to: &lines)
    case .union(let union):
      lines.append(words(["|" + union.name] + sortedNames(union.members)))
    case .enum(let type): lines.append("=" + type.name)
    case .inputObject(let input):
      lines.append((input.isOneOf ? "<!" : "<") + input.name)
      for field in input.fields.elements {
        var line: SourceText = ""
        append(field, separator: " ", to: &line)
        lines.append(line.string)
      }
    case .scalar(let scalar):
      lines.append(
        words(["$" + scalar.name] + [types.builtInScalars[scalar.name]].compactMap(\.self)))
    }
  }

  private func sortedNames(_ names: NamedList<TypeName>) -> [String] {
    names.elements.map(\.name).sorted()
  }

  private func append(_ fields: [FieldDefinition], to lines: inout [String]) {
    // By position, which copies no definition.
    for position in fields.indices {
      var line: SourceText = "\(fields[position].name)"
      append(fields[position].arguments.elements, to: &line)
      line.append(" ")
      line.append(fields[position].type)
      lines.append(line.string)
    }
  }

  private func append(_ arguments: [InputValueDefinition], to line: inout SourceText) {
    for position in arguments.indices {
      line.append(position == 0 ? "(" : " ")
      append(arguments[position], separator: ":", to: &line)
    }
    if !arguments.isEmpty { line.append(")") }
  }

  /// The name of an input value and its type, with an equals sign if there is a default.
  private func append(
    _ value: InputValueDefinition, separator: StaticString, to line: inout SourceText
  ) {
    line.append(name: value.name)
    line.append(separator)
    line.append(value.type)
    if value.defaultValue != nil { line.append("=") }
  }

  private func words(_ words: [String]) -> String {
    words.joined(separator: " ")
  }

  /// The policy for types that are not named. It applies to objects with a key, as others are parts
  /// of the objects that lead to them, and not to the roots, which contain no user's data.
  private func defaultPolicy(of object: ObjectType) -> TypePolicy? {
    guard let policy = configuration.types[TypePolicy.others]?.value, object.hasDefaultKey,
      !schema.roots.values.contains(object.name)
    else { return nil }
    return policy
  }

  /// The store's attributes of an object type, as `name:value`.
  private func attributes(of object: ObjectType) -> [String] {
    guard let policy = configuration.types[object.name]?.value ?? defaultPolicy(of: object) else {
      return object.hasDefaultKey ? ["key:id"] : []
    }
    let key = policy.key ?? (object.hasDefaultKey ? ["id"] : [])
    var attributes: [String] = []
    if !key.isEmpty { attributes.append("key:" + key.joined(separator: ",")) }
    if let persistence = policy.policy { attributes.append("policy:" + persistence.rawValue) }
    if let maxAge = policy.maxAge { attributes.append("maxAge:\(maxAge)") }
    if let version = policy.version { attributes.append("version:" + version) }
    for rule in [TypePolicy.DeleteRule.cascade, .deny, .noAction] {
      let fields = policy.delete.filter { $0.value == rule }.keys.sorted()
      if !fields.isEmpty {
        attributes.append("\(rule.rawValue):" + fields.joined(separator: ","))
      }
    }
    if let referrers = policy.referrers { attributes.append("referrers:" + referrers.rawValue) }
    for (attribute, rule) in [
      ("append", TypePolicy.ListRule.append), ("deleteOld", .replaceDeletingOld),
    ] {
      let fields = policy.lists.filter { $0.value == rule }.keys.sorted()
      if !fields.isEmpty { attributes.append("\(attribute):" + fields.joined(separator: ",")) }
    }
    if !policy.queryable.isEmpty {
      attributes.append("queryable:" + policy.queryable.joined(separator: ","))
    }
    if !policy.inverses.isEmpty {
      let pairs = policy.inverses.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      attributes.append("inverses:" + pairs.joined(separator: ","))
    }
    if !policy.supportedOperations.isEmpty {
      attributes.append("operations:" + policy.supportedOperations.joined(separator: ","))
    }
    return attributes
  }
}

extension ObjectType {
  /// Whether objects are identified by a field `id: ID!`.
  var hasDefaultKey: Bool {
    fields["id"].map { $0.type == .nonNull(.named("ID")) && !$0.requiresArguments } ?? false
  }
}

extension FieldDefinition {
  /// Whether the field cannot be selected by its name alone.
  var requiresArguments: Bool { arguments.contains(where: \.isRequired) }
}

extension SourceText {
  /// The type in a document's syntax. Limited by its depth.
  mutating func append(_ type: TypeReference) {
    switch type {
    case .named(let name): append(name: name)
    case .list(let item):
      append("[")
      append(item)
      append("]")
    case .nonNull(let inner):
      append(inner)
      append("!")
    }
  }
}

extension Planner {
  /// A line for each definition with `@cost` or `@listSize`
  /// (https://ibm.github.io/graphql-specs/cost-spec.html), so none for most schemas.
  ///
  /// A weight that is not a number is left out, since its meaning is known only to the service.
  var costs: [String] {
    var lines: [String] = []
    for type in schema.types {
      append(type.directives, of: type.name, to: &lines)
      switch type {
      case .object(let object): append(object.fields.elements, of: object.name, to: &lines)
      case .interface(let interface):
        append(interface.fields.elements, of: interface.name, to: &lines)
      case .inputObject(let input):
        for field in input.fields.elements {
          append(field.directives, of: "\(input.name).\(field.name)", to: &lines)
        }
      case .union, .enum, .scalar: break
      }
    }
    for directive in schema.directives {
      append(directive.arguments.elements, of: "@\(directive.name)", to: &lines)
    }
    return lines
  }

  private func append(
    _ fields: [FieldDefinition], of type: String, to lines: inout [String]
  ) {
    // By position, which copies no definition.
    for position in fields.indices {
      let arguments = fields[position].arguments.elements
      if fields[position].directives.isEmpty,
        arguments.allSatisfy(\.directives.isEmpty)
      {
        continue
      }
      let coordinate = "\(type).\(fields[position].name)"
      append(
        fields[position].directives, arguments: arguments, of: coordinate, to: &lines)
      append(arguments, of: coordinate, to: &lines)
    }
  }

  private func append(
    _ arguments: [InputValueDefinition], of owner: String, to lines: inout [String]
  ) {
    for argument in arguments where !argument.directives.isEmpty {
      append(argument.directives, of: "\(owner)(\(argument.name):)", to: &lines)
    }
  }

  private func append(
    _ directives: [Document.Directive], arguments: [InputValueDefinition] = [],
    of coordinate: String, to lines: inout [String]
  ) {
    guard !directives.isEmpty else { return }
    var words = ["*" + coordinate]
    for directive in directives {
      switch directive.name {
      case "cost":
        if let weight = directive.argument("weight")?.weight { words.append(weight) }
      case "listSize": words += sizes(directive, arguments)
      default: break
      }
    }
    if words.count > 1 { lines.append(words.joined(separator: " ")) }
  }

  private func sizes(
    _ directive: Document.Directive, _ arguments: [InputValueDefinition]
  ) -> [String] {
    var words: [String] = []
    let slicing = directive.argument("slicingArguments")?.names ?? []
    if !slicing.isEmpty {
      let list = slicing.map { name in
        let value = arguments.first { $0.name == name }?.defaultValue?.weight
        return value.map { "\(name)=\($0)" } ?? name
      }
      words.append("by:" + list.joined(separator: ","))
    }
    // Hot Chocolate states the size without a slicing argument apart from the largest one.
    let size =
      directive.argument("slicingArgumentDefaultValue")?.weight
      ?? directive.argument("assumedSize")?.weight
    if let size { words.append("size:" + size) }
    let sized = directive.argument("sizedFields")?.names ?? []
    if !sized.isEmpty { words.append("of:" + sized.joined(separator: ",")) }
    return words
  }
}

extension Document.Value {
  /// A number, which the specification writes as a string, and Apollo's router as a number.
  fileprivate var weight: String? {
    let text: String
    switch kind {
    case .int(let digits), .float(let digits), .string(let digits): text = digits
    default: return nil
    }
    guard let number = Double(text), abs(number) <= 1e12 else { return nil }
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  /// The names in a list, or one name without a list. A name may have those of fields of input
  /// objects after it, separated by dots.
  fileprivate var names: [String] {
    let values = if case .list(let items) = kind { items } else { [self] }
    return values.compactMap { value in
      guard case .string(let name) = value.kind, !name.isEmpty,
        name.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || isNameContinue($0) })
      else { return nil }
      return name
    }
  }
}
