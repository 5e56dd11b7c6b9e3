import GraphQLSchema

/// Applies the allow and deny lists, and then removes elements that depend on removed ones.
///
/// Fields that refer to a removed type are removed, interfaces and unions shrink, and a type
/// without remaining members is removed too: each of these is reported. Changes that would make the
/// schema invalid are errors: no query root, a required argument or input field whose type is
/// removed, a missing field of an interface. In the end, only types that the root types reach are
/// kept.
struct SchemaFilter {
  let schema: ServiceSchema
  let configuration: Configuration
  var types: [String: NamedType]
  var directives: [DirectiveDefinition]
  var report = Report()

  /// The selected part of a schema, and the findings of the selection.
  static func select(
    from schema: ServiceSchema, configuration: Configuration
  ) -> (schema: SelectedSchema, report: Report) {
    var filter = SchemaFilter(schema: schema, configuration: configuration)
    if !configuration.allow.isEmpty || !configuration.deny.isEmpty {
      filter.applyLists()
      filter.removeDependents()
      filter.checkRoot()
      filter.checkInterfaces()
      filter.removeUnreached()
    }
    return (filter.selected, filter.report)
  }

  private init(schema: ServiceSchema, configuration: Configuration) {
    self.schema = schema
    self.configuration = configuration
    types = Dictionary(schema.types.elements.map { ($0.name, $0) }) { first, _ in first }
    let clientDirectives = Set(configuration.clientDirectives.map(\.value))
    directives = schema.directives.elements.filter { directive in
      !clientDirectives.contains(directive.name) && directive.name != "skip"
        && directive.name != "include"
        && directive.locations.contains(where: \.isExecutable)
    }
  }

  var sortedNames: [String] { types.keys.sorted() }

  /// Names of the remaining root types.
  var roots: [OperationType: String] {
    var roots: [OperationType: String] = [:]
    for root in schema.definition.operationTypes where types[root.type.name] != nil {
      roots[root.operationType] = root.type.name
    }
    return roots
  }

  private var selected: SelectedSchema {
    SelectedSchema(
      description: schema.description, types: Array(types.values), directives: directives,
      roots: roots)
  }
}

extension DirectiveLocation {
  /// Whether it is applied to a selection.
  var isSelection: Bool {
    self == .field || self == .fragmentSpread || self == .inlineFragment
  }
}
