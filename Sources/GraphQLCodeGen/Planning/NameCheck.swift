#if !ONE_MODULE
  import GraphQLSchema
#endif

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

/// Rejects schemas in which two elements of one scope would have the same Swift name, e.g.
/// `created_at` and `createdAt`. Which one an app means must not depend on their order.
final class NameConflicts {
  private let configuration: Configuration
  let names: WantedNames
  /// The names without the conversion of their case.
  private let writtenNames: WantedNames
  private let sources: [Source]
  private var report = Report()

  static func check(
    _ schema: SelectedSchema, sources: [Source], configuration: Configuration
  ) -> Report {
    let check = NameConflicts(configuration: configuration, sources: sources)
    check.check(schema)
    return check.report
  }

  private init(configuration: Configuration, sources: [Source]) {
    self.configuration = configuration
    names = WantedNames(configuration)
    var written = configuration
    written.naming = .asWritten
    writtenNames = WantedNames(written)
    self.sources = sources
  }

  private func check(_ schema: SelectedSchema) {
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

  private func check(_ type: NamedType) {
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

  private func check(
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
      report(
        Element(elements[position], coordinate), conflictsWith: Element(elements[other], coordinate)
      )
    }
  }

  /// An element of a schema, with the name's position.
  struct Element {
    let coordinate: SchemaCoordinate
    let range: SourceRange

    init(_ element: some NamedElement, _ coordinate: (String) -> SchemaCoordinate) {
      self.coordinate = coordinate(element.name)
      range = element.nameRange
    }
  }

  /// - Parameter type: the type that has both; nil if it is in their coordinates.
  func report(
    _ element: Element, conflictsWith other: Element, in type: String? = nil
  ) {
    let coordinates = (other.coordinate.description, element.coordinate.description)
    // With all names as written, two elements conflict only if one of them is renamed.
    let isConverted = writtenNames[element.coordinate] != writtenNames[other.coordinate]
    report.error(
      "NameConflict",
      "\(quoted(coordinates.0)) and \(quoted(coordinates.1)) have the same name in Swift,"
        + " \(quoted(names[element.coordinate]))"
        + (type.map { ", and \(quoted($0)) has both." } ?? "."),
      at: sources.position(of: element.range),
      suggestion:
        "Give one of them another name in the configuration:"
        + " `\"rename\": { \"\(coordinates.1)\": \"…\" }`"
        + (isConverted ? ", or keep all names: `\"naming\": \"asWritten\"`." : "."),
      notes: [
        .init("\(quoted(coordinates.0)) is defined here.", at: sources.position(of: other.range))
      ])
  }
}

extension NameConflicts {
  /// A property of an interface's protocol is also one of the types that implement the interface. One
  /// of the type's own hides it, and must read the same field. Otherwise it must be the only one of its
  /// name, or hide the others.
  func checkInterfaces(of schema: SelectedSchema) {
    for type in schema.types {
      guard let fields = type.fields, let interfaces = type.interfaces else { continue }
      var own: [String: FieldDefinition] = [:]
      for field in fields.elements {
        own[names[.member(type: type.name, name: field.name)]] = field
      }
      var inherited: [String: [Inherited]] = [:]
      var swiftNames: [String] = []
      for name in interfaces.elements {
        guard case .interface(let interface)? = schema.typesByName[name.name] else { continue }
        for field in interface.fields.elements {
          let property = Inherited(interface: interface, field: field)
          let swiftName = names[property.element.coordinate]
          guard let other = own[swiftName] else {
            if inherited[swiftName] == nil { swiftNames.append(swiftName) }
            inherited[swiftName, default: []].append(property)
            continue
          }
          if other.name == field.name { continue }
          report(
            property.element,
            conflictsWith: Element(other) { .member(type: type.name, name: $0) })
        }
      }
      for name in swiftNames { check(inherited[name] ?? [], of: type.name) }
    }
  }

  /// Checks properties of one name, which a type inherits from its interfaces.
  private func check(_ properties: [Inherited], of type: String) {
    guard properties.count > 1 else { return }
    let hides = properties.contains { property in
      properties.allSatisfy { $0.isHidden(by: property) }
    }
    if hides { return }
    let first = properties[0]
    let other = properties.first { !$0.isHidden(by: first) && !first.isHidden(by: $0) }
    report((other ?? properties[1]).element, conflictsWith: first.element, in: type)
  }

  /// The property of an interface's protocol.
  private struct Inherited {
    let interface: InterfaceType
    let field: FieldDefinition

    var element: Element { Element(field) { .member(type: interface.name, name: $0) } }

    /// Whether the other one reads the same field, and is of the same or a refining protocol.
    func isHidden(by other: Inherited) -> Bool {
      field.name == other.field.name
        && (interface.name == other.interface.name
          || other.interface.interfaces.contains(name: interface.name))
    }
  }
}
