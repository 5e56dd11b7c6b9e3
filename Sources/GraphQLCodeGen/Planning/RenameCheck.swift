import GraphQLSchema

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
