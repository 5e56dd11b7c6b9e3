import GraphQLRuntime

/// How objects of each type are kept: the schema table's word, and the store's configuration over it.
final class Policies: Sendable {
  let schema: GraphQL.SchemaTable
  private let overrides: [String: TypePolicy]
  let keyOverrides: [String: [String]]
  /// What lists of a response do to those that are stored, by `Type.field`.
  let lists: [String: JSONMapping.ListRule]
  private let known = Locked<[String: TypePolicy]>([:])

  init(schema: GraphQL.SchemaTable, overrides: [String: TypePolicy]) {
    self.schema = schema
    self.overrides = overrides
    keyOverrides = overrides.compactMapValues(\.key)
    var lists: [String: JSONMapping.ListRule] = [:]
    for (attribute, rule) in Self.listAttributes {
      for (name, fields) in schema.attribute(attribute) where overrides[name]?.lists == nil {
        for field in fields.split(separator: ",") { lists["\(name).\(field)"] = rule }
      }
    }
    for (name, policy) in overrides {
      for (field, rule) in policy.lists ?? [:] { lists["\(name).\(field)"] = rule }
    }
    self.lists = lists
  }

  /// The policy of a type, with nothing left open.
  func policy(ofType name: String) -> TypePolicy {
    known.withLock { known in
      if let policy = known[name] { return policy }
      let attributes = schema.storageAttributes(ofType: name)
      let override = overrides[name]
      let policy = TypePolicy(
        key: schema.keyFields(ofType: name, overrides: keyOverrides),
        persistence: override?.persistence
          ?? attributes["policy"].flatMap(TypePolicy.Persistence.init) ?? .persistent,
        maximumAge: override?.maximumAge
          ?? attributes["maxAge"].flatMap(Int64.init).map { .seconds($0) },
        deleteRule: override?.deleteRule
          ?? attributes["delete"].flatMap(TypePolicy.DeleteRule.init) ?? .nullify)
      known[name] = policy
      return policy
    }
  }

  private static let listAttributes: [(String, JSONMapping.ListRule)] = [
    ("append", .append), ("deleteOld", .replaceDeletingOld),
  ]

  /// How long a record may be kept: that of a query's root goes at logout.
  func persistenceOfRecord(_ key: GraphQL.EntityKey) -> TypePolicy.Persistence {
    let persistence = policy(ofType: key.typeName).persistence ?? .persistent
    return key.key.isEmpty && persistence == .persistent ? .sensitive : persistence
  }

  /// Whether an object without a key may be part of a record that is kept in that way.
  func mayEmbed(_ typeName: String, in owner: TypePolicy.Persistence) -> Bool {
    switch policy(ofType: typeName).persistence {
    case .transient: owner == .transient
    case .sensitive: owner != .persistent
    default: true
    }
  }

  func isTransient(_ name: String) -> Bool { policy(ofType: name).persistence == .transient }

  /// The key of an object of a generated class.
  func key<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, _ key: String
  ) throws(StoreError) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: try typeName(of: type), key: key)
  }

  /// The name of the object type that a generated class stands for.
  func typeName(of type: GraphQL.AbstractResponse.Type) throws(StoreError) -> String {
    guard let name = schema.objectTypeName(of: type) else {
      throw StoreError(
        .notAnEntity, "\(type) stands for no object type of \(schema.name); ask for such a class")
    }
    return name
  }
}
