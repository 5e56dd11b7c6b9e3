import GraphQLSchema

/// `@catch` on a field: reading the property throws the error because of which the field is null.
///
/// `@catch(to: NULL)` is the same as no directive. The other values, `RESULT` and `THROW`, are those of Apollo's
/// library for Kotlin, and have the same meaning here.
enum CaughtErrors {
  static func isCaught(_ field: Document.Field) -> Bool {
    guard let directive = field.clientDirectives["catch"] else { return false }
    if case .enum("NULL")? = directive.argument("to")?.kind { return false }
    return true
  }

  /// Reports each `@catch` on a field that is never null.
  static func check(_ program: inout ProgramDocuments, _ schema: ServiceSchema) {
    var report = Report()
    for definition in program.documents.lazy.filter(\.mayHaveDirectives).flatMap(\.definitions)
    where !program.isFaulty(definition.range) {
      switch definition {
      case .operation(let operation):
        guard let root = schema.rootType(for: operation.operationType) else { continue }
        check(operation.selectionSet, on: .object(root), program, schema, &report)
      case .fragment(let fragment):
        guard let type = schema.type(named: fragment.typeCondition.name) else { continue }
        check(fragment.selectionSet, on: type, program, schema, &report)
      default: continue
      }
    }
    program.add(report)
  }

  /// Warns about each `@catch` that is not on a field, where it has no meaning.
  ///
  /// - Parameter documents: with all of their directives.
  static func misplaced(
    in documents: [Document], _ sources: [Source], _ schema: ServiceSchema
  ) -> Report {
    var report = Report()
    if schema.directive(named: "catch") != nil { return report }
    for definition in documents.lazy.filter(\.mayHaveDirectives).flatMap(\.definitions) {
      var directives: [Document.Directive] = []
      switch definition {
      case .operation(let operation):
        directives = operation.directives + operation.variables.flatMap(\.directives)
      case .fragment(let fragment): directives = fragment.directives
      default: break
      }
      if let set = definition.selectionSet { directives += set.directivesOfFragments }
      for directive in directives where directive.name == "catch" {
        report.warning(
          "MisplacedCatch", "\"@catch\" has a meaning only on fields.",
          at: sources.position(of: directive.range), suggestion: "Write it on a field.")
      }
    }
    return report
  }

  private static func check(
    _ set: Document.SelectionSet, on type: NamedType, _ program: ProgramDocuments,
    _ schema: ServiceSchema, _ report: inout Report
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let definition = schema.selectableField(named: field.name, on: type) else { continue }
        if isCaught(field), definition.type.isNonNull {
          report.error(
            "CatchOnNonNull",
            "\(quoted(field.name)) is never null: an error in it makes the object around it null.",
            at: program.position(of: field.nameRange),
            suggestion: "Write @catch on the nearest field around it that may be null.")
        }
        if let inner = field.selectionSet, let type = schema.namedType(of: definition.type) {
          check(inner, on: type, program, schema, &report)
        }
      case .inlineFragment(let fragment):
        let condition = fragment.typeCondition.flatMap { schema.type(named: $0.name) }
        check(fragment.selectionSet, on: condition ?? type, program, schema, &report)
      case .fragmentSpread: continue
      }
    }
  }
}

extension Document.SelectionSet {
  /// The directives of all fragments in the set.
  fileprivate var directivesOfFragments: [Document.Directive] {
    selections.flatMap { selection in
      switch selection {
      case .field(let field): field.selectionSet?.directivesOfFragments ?? []
      case .inlineFragment(let fragment):
        fragment.directives + fragment.selectionSet.directivesOfFragments
      case .fragmentSpread(let spread): spread.directives
      }
    }
  }
}
