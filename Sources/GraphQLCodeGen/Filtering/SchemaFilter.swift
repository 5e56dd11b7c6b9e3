#if !ONE_MODULE
  import GraphQLSchema
#endif

/// Applies the allow and deny lists, and then removes elements that depend on removed ones.
///
/// Fields that refer to a removed type are removed, interfaces and unions shrink, and a type
/// without remaining members is removed too: each of these is reported. Changes that would make the
/// schema invalid are errors: no query root, a required argument or input field whose type is
/// removed, a missing field of an interface. In the end, only types that the root types reach are
/// kept.
final class SchemaFilter {
  let schema: ServiceSchema
  let configuration: Configuration
  var types: [String: NamedType]
  var directives: [DirectiveDefinition]
  var report = Report()

  /// The selected part of a schema, and the findings of the selection.
  static func select(
    from schema: ServiceSchema, configuration: Configuration
  ) -> (schema: SelectedSchema, report: Report) {
    let filter = SchemaFilter(schema: schema, configuration: configuration)
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
  func applyLists() {
    for entry in configuration.allow + configuration.deny { check(entry) }
    if !configuration.allow.isEmpty { applyAllowList() }
    applyDenyList()
  }

  /// Reports a schema without a root type of queries: the type may be removed, or all of its fields.
  func checkRoot() {
    guard roots[.query] == nil else { return }
    report.error(
      "RootDenied", "`allow` and `deny` remove the root type of queries, or all of its fields.",
      at: configuration.deny.first?.position ?? configuration.allow.first?.position)
  }

  /// Reports an entry that names nothing.
  private func check(_ entry: Located<ListedElement>) {
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
  private func applyAllowList() {
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

  private func applyDenyList() {
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
/// again. A class, since planners store it: a copy counts one reference.
final class SelectedSchema: Sendable {
  let description: String?
  /// Sorted by name; without built-in types. Members of unselected types are removed.
  let types: [NamedType]
  /// Sorted by name; executable locations only, without `@skip` and `@include`.
  let directives: [DirectiveDefinition]
  /// Names of the root types.
  let roots: [OperationType: String]

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
    let sorted = names.indices.sorted { names[$0] < names[$1] }.map { types[$0] }
    self.types = sorted
    self.directives = directives.sorted { $0.name < $1.name }
    self.roots = roots
    typesByName = Dictionary(types.map { ($0.name, $0) }) { first, _ in first }
    kinds = typesByName.mapValues(\.kind)
    var unions: [String: [String]] = [:]
    for case .union(let union) in sorted {
      for member in union.members.elements {
        unions[member.name, default: []].append(union.name)
      }
    }
    self.unions = unions
  }
}

extension SchemaFilter {
  /// Removes references to removed types, until there are none.
  func removeDependents() {
    var isChanged = true
    while isChanged {
      isChanged = false
      for name in sortedNames {
        guard let type = types[name] else { continue }
        let pruned = pruned(type)
        if pruned == type { continue }
        isChanged = true
        types[name] = pruned
      }
    }
    directives = directives.compactMap { pruned($0) }
  }

  private func isKept(_ type: TypeReference) -> Bool {
    let name = type.namedType
    return types[name] != nil || ServiceSchema.builtInTypes.contains(name: name)
  }

  /// The type without members that refer to removed types; nil if nothing is left of it.
  private func pruned(_ type: NamedType) -> NamedType? {
    switch type {
    case .scalar, .enum: return type
    case .object(var object):
      object.fields = pruned(object.fields, of: object.name)
      object.interfaces = kept(object.interfaces)
      return object.fields.isEmpty ? vanished(object.name) : .object(object)
    case .interface(var interface):
      interface.fields = pruned(interface.fields, of: interface.name)
      interface.interfaces = kept(interface.interfaces)
      return interface.fields.isEmpty ? vanished(interface.name) : .interface(interface)
    case .union(var union):
      union.members = kept(union.members)
      return union.members.isEmpty ? vanished(union.name) : .union(union)
    case .inputObject(var input):
      let name = input.name
      input.fields = NamedList(
        input.fields.elements.filter { field in
          keeps(field, called: "input field `\(name).\(field.name)`")
        })
      return input.fields.isEmpty ? vanished(name) : .inputObject(input)
    }
  }

  private func kept(_ names: NamedList<TypeName>) -> NamedList<TypeName> {
    NamedList(names.elements.filter { types[$0.name] != nil })
  }

  private func pruned(
    _ fields: NamedList<FieldDefinition>, of type: String
  ) -> NamedList<FieldDefinition> {
    var kept: [FieldDefinition] = []
    for var field in fields.elements {
      guard isKept(field.type) else {
        report.note(
          "FieldDropped",
          "`\(type).\(field.name)` is left out because its type `\(field.type.namedType)` is left out."
        )
        continue
      }
      let coordinate = "\(type).\(field.name)"
      field.arguments = NamedList(
        field.arguments.elements.filter { argument in
          keeps(argument, called: "argument `\(argument.name)` of `\(coordinate)`")
        })
      kept.append(field)
    }
    return NamedList(kept)
  }

  /// Whether an argument or input field stays. A required one cannot be removed.
  private func keeps(_ value: InputValueDefinition, called name: String) -> Bool {
    if isKept(value.type) { return true }
    let type = value.type.namedType
    if value.isRequired {
      report.error(
        "RequiredTypeDenied", "The \(name) is required, but its type `\(type)` is left out.",
        at: position(ofType: type))
    } else {
      report.note(
        "ArgumentDropped", "The \(name) is left out because its type `\(type)` is left out.")
    }
    return false
  }

  private func pruned(_ directive: DirectiveDefinition) -> DirectiveDefinition? {
    var directive = directive
    if let broken = directive.arguments.elements.first(where: { $0.isRequired && !isKept($0.type) })
    {
      report.note(
        "DirectiveDropped",
        "`@\(directive.name)` is left out because the type of its argument `\(broken.name)` is left out."
      )
      return nil
    }
    directive.arguments = NamedList(directive.arguments.elements.filter { isKept($0.type) })
    return directive
  }

  private func vanished(_ type: String) -> NamedType? {
    report.note("TypeDropped", "`\(type)` is left out because all its members are left out.")
    return nil
  }

  /// The entry of the deny list that names a type.
  private func position(ofType name: String) -> SourcePosition? {
    let entry = configuration.deny.first { $0.value.type == name && $0.value.field == nil }
    return entry?.position ?? configuration.allow.first?.position
  }
}

extension SchemaFilter {
  /// Ensures that types have all the fields of their interfaces (section 3.6).
  ///
  /// A field that was removed with its type is also removed from the interface. A field that a list
  /// names is an error, since only the author of the list can decide to remove it from the
  /// interface as well.
  func checkInterfaces() {
    var isChanged = true
    while isChanged {
      isChanged = false
      for name in sortedNames {
        guard let type = types[name], let fields = type.fields, let interfaces = type.interfaces
        else { continue }
        for interface in interfaces.elements {
          for promised in types[interface.name]?.fields?.elements ?? []
          where !fields.contains(name: promised.name) {
            dropPromise(promised.name, of: interface.name, brokenBy: name)
            isChanged = true
          }
        }
      }
      if isChanged { removeDependents() }
    }
  }

  private func dropPromise(_ field: String, of interface: String, brokenBy type: String) {
    let message = "`\(type).\(field)` is left out, but `\(interface).\(field)` declares it."
    let coordinate = ListedElement(type: type, field: field)
    if let entry = configuration.deny.first(where: { $0.value == coordinate }) {
      report.error(
        "PromisedFieldDenied", message, at: entry.position,
        suggestion: "Deny `\(interface).\(field)` too.")
    } else {
      report.note("FieldDropped", message + " Both are left out.")
    }
    types[interface] = types[interface]?.keepingFields { $0 != field }
  }
}

extension SchemaFilter {
  /// Removes the types that no root type and no directive reaches.
  func removeUnreached() {
    var members: [String: [String]] = [:]
    for (name, type) in types {
      for interface in type.interfaces?.elements ?? [] {
        members[interface.name, default: []].append(name)
      }
    }
    var reached: Set<String> = []
    var pending = Array(roots.values)
    pending += directives.flatMap { $0.arguments.elements.map(\.type.namedType) }
    while let name = pending.popLast() {
      guard let type = types[name], reached.insert(name).inserted else { continue }
      pending += type.references
      pending += members[name] ?? []
    }
    types = types.filter { reached.contains($0.key) }
  }
}

extension NamedType {
  /// Names of the types that the definition uses.
  fileprivate var references: [String] {
    switch self {
    case .scalar, .enum: []
    case .object, .interface:
      (interfaces?.elements ?? []).map(\.name)
        + (fields?.elements ?? []).flatMap { field in
          [field.type.namedType] + field.arguments.elements.map(\.type.namedType)
        }
    case .union(let union): union.members.elements.map(\.name)
    case .inputObject(let input): input.fields.elements.map(\.type.namedType)
    }
  }
}

extension NamedType {
  /// Names of the fields, of output and input types.
  var memberNames: [String] {
    if case .inputObject(let input) = self { return input.fields.elements.map(\.name) }
    return fields?.elements.map(\.name) ?? []
  }

  /// The type with some of its fields.
  func keepingFields(where isKept: (String) -> Bool) -> NamedType {
    switch self {
    case .object(var type):
      type.fields = NamedList(type.fields.elements.filter { isKept($0.name) })
      return .object(type)
    case .interface(var type):
      type.fields = NamedList(type.fields.elements.filter { isKept($0.name) })
      return .interface(type)
    case .inputObject(var type):
      type.fields = NamedList(type.fields.elements.filter { isKept($0.name) })
      return .inputObject(type)
    case .scalar, .union, .enum: return self
    }
  }
}
