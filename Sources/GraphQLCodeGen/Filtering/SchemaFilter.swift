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

extension SchemaFilter {
  /// Removes the elements that the lists name, or do not name.
  mutating func applyLists() {
    for entry in configuration.allow + configuration.deny { check(entry) }
    if !configuration.allow.isEmpty { applyAllowList() }
    applyDenyList()
  }

  /// Reports a schema without a root type of queries: the type may be removed, or all of its fields.
  mutating func checkRoot() {
    guard roots[.query] == nil else { return }
    report.error(
      "RootDenied", "`allow` and `deny` remove the root type of queries, or all of its fields.",
      at: configuration.deny.first?.position ?? configuration.allow.first?.position)
  }

  /// Reports an entry that names nothing.
  private mutating func check(_ entry: Located<ListedElement>) {
    let coordinate = entry.value
    guard let type = schema.types[coordinate.type] else {
      report.error(
        "UnknownType", "There is no type `\(coordinate.type)` in the schema.", at: entry.position,
        suggestion: didYouMean(
          coordinate.type, among: schema.types.elements.map(\.name)))
      return
    }
    guard let field = coordinate.field, !type.memberNames.contains(field) else { return }
    report.error(
      "UnknownField", "The type `\(coordinate.type)` has no field `\(field)`.", at: entry.position,
      suggestion: didYouMean(field, among: type.memberNames))
  }

  /// Keeps the composite types that the allow list names, with all their fields or the named ones.
  private mutating func applyAllowList() {
    var whole: Set<String> = []
    var fields: [String: Set<String>] = [:]
    for entry in configuration.allow {
      if let field = entry.value.field {
        fields[entry.value.type, default: []].insert(field)
      } else {
        whole.insert(entry.value.type)
      }
    }
    for (name, type) in types where !whole.contains(name) {
      if let allowed = fields[name] {
        types[name] = type.keepingFields { allowed.contains($0) }
      } else if type.isCompositeType {
        types[name] = nil
      }
    }
  }

  private mutating func applyDenyList() {
    for entry in configuration.deny {
      let coordinate = entry.value
      guard let field = coordinate.field else {
        types[coordinate.type] = nil
        continue
      }
      guard let type = types[coordinate.type] else { continue }
      if case .inputObject(let input) = type, input.fields[field]?.isRequired == true {
        report.error(
          "RequiredFieldDenied",
          "The input field `\(coordinate)` is required, so it cannot be denied.",
          at: entry.position)
      }
      types[coordinate.type] = type.keepingFields { $0 != field }
    }
  }
}

/// The part of a schema that is generated: the result of the allow and deny lists, made consistent
/// again.
struct SelectedSchema {
  var description: String?
  /// Sorted by name; without built-in types. Members of unselected types are removed.
  var types: [NamedType]
  /// Sorted by name; executable locations only, without `@skip` and `@include`.
  var directives: [DirectiveDefinition]
  /// Names of the root types.
  var roots: [OperationType: String]

  /// The types by name.
  let typesByName: [String: NamedType]
  /// Kinds of the types by name, which are sufficient for most checks and much cheaper to copy.
  let kinds: [String: TypeKind]
  /// Names of the unions that an object type belongs to, sorted.
  let unions: [String: [String]]

  init(
    description: String?, types: [NamedType], directives: [DirectiveDefinition],
    roots: [OperationType: String]
  ) {
    self.description = description
    // Compares names and moves positions, since a type is a large value.
    let names = types.map(\.name)
    self.types = names.indices.sorted { names[$0] < names[$1] }.map { types[$0] }
    self.directives = directives.sorted { $0.name < $1.name }
    self.roots = roots
    typesByName = Dictionary(types.map { ($0.name, $0) }) { first, _ in first }
    kinds = typesByName.mapValues(\.kind)
    var unions: [String: [String]] = [:]
    for case .union(let union) in self.types {
      for member in union.members.elements {
        unions[member.name, default: []].append(union.name)
      }
    }
    self.unions = unions
  }
}
