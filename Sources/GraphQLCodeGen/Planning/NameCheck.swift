import GraphQLSchema

/// Rejects names that are not GraphQL names (section 2.1.8), and types that do not exist.
///
/// A schema that was read has been checked. This is a second check before the emitters, which write
/// names unchanged into source and files.
struct NameCheck {
  private let schema: SelectedSchema
  private var report = Report()

  static func check(_ schema: SelectedSchema) -> Report {
    var check = NameCheck(schema: schema)
    for type in schema.types { check.check(type) }
    for directive in schema.directives {
      check.check(directive.name, of: "directive")
      check.check(directive.arguments.elements)
    }
    for name in schema.roots.values.sorted() { check.check(name, of: "root type") }
    return check.report
  }

  private init(schema: SelectedSchema) {
    self.schema = schema
  }

  private mutating func check(_ type: NamedType) {
    check(type.name, of: "type")
    for interface in type.interfaces?.elements ?? [] { check(interface.name, of: "interface") }
    // By position, which copies no definition.
    let fields = type.fields?.elements ?? []
    for position in fields.indices {
      check(fields[position].name, of: "field")
      check(fields[position].type)
      check(fields[position].arguments.elements)
    }
    switch type {
    case .union(let union):
      for member in union.members.elements { check(member.name, of: "member") }
    case .enum(let type):
      for value in type.values.elements { check(value.name, of: "enum value") }
    case .inputObject(let input): check(input.fields.elements)
    case .scalar, .object, .interface: break
    }
  }

  private mutating func check(_ values: [InputValueDefinition]) {
    for position in values.indices {
      check(values[position].name, of: "argument or input field")
      check(values[position].type)
    }
  }

  /// Types of introspection are legal types of fields, but no code is generated for them.
  private mutating func check(_ type: TypeReference) {
    let name = type.namedType
    // The names of the selected types are checked with the types.
    if Self.builtInScalars.contains(name) || schema.kinds[name] != nil { return }
    check(name, of: "type")
    report.error("UnknownType", "No code can be generated for the type \(quoted(name)).")
  }

  private static let builtInScalars: WordSet = ["Boolean", "Float", "ID", "Int", "String"]

  private mutating func check(_ name: String, of element: String) {
    if Identifier.isName(name) { return }
    report.error(
      "InvalidName",
      "The schema has a \(element) called \(quoted(name)), which is not a name.")
  }
}

/// Rejects names of a configuration that a plan does not have, because generated code or the runtime
/// needs them. Conflicts between elements of the schema were reported before.
struct RenameCheck {
  private let rename: [SchemaCoordinate: Located<String>]
  private var report = Report()

  static func check(_ plan: GenerationPlan, against configuration: Configuration) -> Report {
    var check = RenameCheck(rename: configuration.rename)
    if !configuration.rename.isEmpty { check.check(plan) }
    return check.report
  }

  private init(rename: [SchemaCoordinate: Located<String>]) {
    self.rename = rename
  }

  private mutating func check(_ plan: GenerationPlan) {
    for type in plan.composites {
      let owner = type.schemaName
      check(.type(owner), [type.responseType])
      for field in type.fields {
        check(.member(type: owner, name: field.schemaName), [field.method, field.property])
        check(field.arguments) { .argument(type: owner, field: field.schemaName, name: $0) }
      }
    }
    for type in plan.enums {
      check(.type(type.schemaName), [type.name])
      for value in type.cases {
        check(.member(type: type.schemaName, name: value.schemaName), [value.name])
      }
    }
    for type in plan.inputs {
      check(.type(type.schemaName), [type.name])
      for field in type.fields {
        check(
          .member(type: type.schemaName, name: field.argument.schemaName),
          [field.property, SwiftKeywords.spelled(field.argument.label)])
      }
    }
    for type in plan.oneOfs {
      check(.type(type.schemaName), [type.name])
      for value in type.cases {
        check(.member(type: type.schemaName, name: value.schemaName), [value.name])
      }
    }
    for directive in plan.directives {
      let name = directive.schemaName
      check(.directive(name), [directive.function])
      check(directive.arguments) { .directiveArgument(directive: name, name: $0) }
    }
  }

  private mutating func check(
    _ arguments: [ArgumentPlan], _ coordinate: (String) -> SchemaCoordinate
  ) {
    // A label needs no backticks, so it is planned without them.
    for argument in arguments {
      check(coordinate(argument.schemaName), [SwiftKeywords.spelled(argument.label)])
    }
  }

  /// - Parameter planned: the names of the declarations of one element, as they are spelled.
  private mutating func check(_ coordinate: SchemaCoordinate, _ planned: [String]) {
    guard let wanted = rename[coordinate] else { return }
    let spelled = SwiftKeywords.spelled(wanted.value)
    guard let other = planned.first(where: { $0 != spelled }) else { return }
    report.error(
      "UnavailableName",
      "\(quoted(coordinate.description)) cannot have the name \(quoted(wanted.value)) in Swift, which "
        + "generated code or the runtime uses: it would become \(quoted(other)).",
      at: wanted.position, suggestion: "Choose another name.")
  }
}
