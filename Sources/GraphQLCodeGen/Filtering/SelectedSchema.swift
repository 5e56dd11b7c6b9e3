import GraphQLSchema

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
