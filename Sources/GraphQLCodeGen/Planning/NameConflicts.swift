import GraphQLSchema

/// Rejects schemas in which two elements of one scope would have the same Swift name, e.g.
/// `created_at` and `createdAt`. Which one an app means must not depend on their order.
struct NameConflicts {
  private let configuration: Configuration
  private let names: WantedNames
  private let sources: [Source]
  private var report = Report()

  static func check(
    _ schema: SelectedSchema, sources: [Source], configuration: Configuration
  ) -> Report {
    var check = NameConflicts(configuration: configuration, sources: sources)
    check.check(schema)
    return check.report
  }

  private init(configuration: Configuration, sources: [Source]) {
    self.configuration = configuration
    names = WantedNames(configuration)
    self.sources = sources
  }

  private mutating func check(_ schema: SelectedSchema) {
    // Scalars have no type of their own in Swift.
    check(schema.types.filter { if case .scalar = $0 { false } else { true } }) { .type($0) }
    for type in schema.types { check(type) }
    if !configuration.rename.isEmpty { checkInterfaces(of: schema) }
    check(schema.directives) { .directive($0) }
    for directive in schema.directives {
      check(directive.arguments.elements) {
        .directiveArgument(directive: directive.name, name: $0)
      }
    }
  }

  private mutating func check(_ type: NamedType) {
    let owner = type.name
    let fields = type.fields?.elements ?? []
    check(fields) { .member(type: owner, name: $0) }
    // By position, which copies no definition.
    for position in fields.indices {
      let field = fields[position].name
      check(fields[position].arguments.elements) {
        .argument(type: owner, field: field, name: $0)
      }
    }
    switch type {
    case .enum(let type): check(type.values.elements) { .member(type: owner, name: $0) }
    case .inputObject(let input): check(input.fields.elements) { .member(type: owner, name: $0) }
    case .scalar, .object, .interface, .union: break
    }
  }

  /// A property of an interface's protocol is also one of the objects. With the name of another
  /// field, it would read that field.
  private mutating func checkInterfaces(of schema: SelectedSchema) {
    for type in schema.types {
      guard let fields = type.fields, let interfaces = type.interfaces else { continue }
      var own: [String: FieldDefinition] = [:]
      for field in fields.elements {
        own[names[.member(type: type.name, name: field.name)]] = field
      }
      for interface in interfaces.elements {
        for field in schema.typesByName[interface.name]?.fields?.elements ?? [] {
          let coordinate = SchemaCoordinate.member(type: interface.name, name: field.name)
          guard let other = own[names[coordinate]], other.name != field.name else { continue }
          reportConflict(of: field, with: other, names[coordinate]) {
            .member(type: $0 == field.name ? interface.name : type.name, name: $0)
          }
        }
      }
    }
  }

  private mutating func check(
    _ elements: [some NamedElement], coordinate: (String) -> SchemaCoordinate
  ) {
    guard elements.count > 1 else { return }
    let swiftNames = elements.indices.map { names[coordinate(elements[$0].name)] }
    // Names in one scope of the schema differ, so unchanged names cannot conflict. That is the usual
    // case.
    if elements.indices.allSatisfy({ swiftNames[$0] == elements[$0].name }) { return }
    var first: [String: Int] = [:]
    for (position, name) in swiftNames.enumerated() {
      guard let other = first.updateValue(position, forKey: name) else { continue }
      reportConflict(of: elements[position], with: elements[other], name, coordinate)
    }
  }

  private mutating func reportConflict(
    of element: some NamedElement, with other: some NamedElement, _ swiftName: String,
    _ coordinate: (String) -> SchemaCoordinate
  ) {
    let names = (coordinate(other.name).description, coordinate(element.name).description)
    report.error(
      "NameConflict",
      "\(quoted(names.0)) and \(quoted(names.1)) have the same name in Swift,"
        + " \(quoted(swiftName)).", at: sources.position(of: element.nameRange),
      suggestion:
        "Give one of them another name in the configuration:"
        + " `\"rename\": { \"\(names.1)\": \"…\" }`, or keep all names: `\"naming\": \"asWritten\"`.",
      notes: [
        .init("\(quoted(names.0)) is defined here.", at: sources.position(of: other.nameRange))
      ])
  }
}
