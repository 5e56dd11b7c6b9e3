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
