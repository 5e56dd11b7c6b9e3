import GraphQLRuntime

/// How objects of each type are kept: the schema table's word, and the store's configuration over it.
final class Policies: Sendable {
  let schema: GraphQL.SchemaTable
  private let overrides: [String: TypePolicy]
  private let keyOverrides: [String: [String]]
  /// The indexes by type. Set once, before anybody else has the object.
  private nonisolated(unsafe) var indexes: [String: [FieldIndex]] = [:]
  /// The relations with an inverse by type. Set once, as the indexes are.
  private nonisolated(unsafe) var relations: [String: [Inverse]] = [:]
  private let known = Locked<[String: TypePolicy]>([:])

  private let paging: GraphQL.PagingArguments
  let scanNotices: ScanNotices?

  init(
    schema: GraphQL.SchemaTable, overrides: [String: TypePolicy],
    paging: GraphQL.PagingArguments = .init(), scanNotices: ScanNotices? = nil
  ) {
    self.schema = schema
    self.paging = paging
    self.scanNotices = scanNotices
    self.overrides = overrides
    keyOverrides = overrides.compactMapValues(\.key)
    indexes = declaredIndexes()
    relations = declaredRelations()
  }

  /// Plans of how objects are stored, for one task.
  func makePlanner() -> GraphQL.StoragePlanner {
    GraphQL.StoragePlanner(schema: schema, keys: keyOverrides, paging: paging)
  }

  /// The policy of a type, with nothing left open. The rows of a connection have that of its owner.
  func policy(ofType typeName: String) -> TypePolicy {
    known.withLock { known in
      if let policy = known[typeName] { return policy }
      let name = GraphQL.EntityKey.policyTypeName(typeName)
      let attributes = schema.storageAttributes(ofType: name)
      let override = overrides[name]
      let policy = TypePolicy(
        key: schema.keyFields(ofType: name, overrides: keyOverrides),
        persistence: override?.persistence
          ?? attributes["policy"].flatMap(TypePolicy.Persistence.init) ?? .persistent,
        maximumAge: override?.maximumAge
          ?? attributes["maxAge"].flatMap(Int64.init).map { .seconds($0) },
        deleteRule: override?.deleteRule
          ?? attributes["delete"].flatMap(TypePolicy.DeleteRule.init) ?? .nullify,
        queryable: override?.queryable
          ?? attributes["queryable"].map { $0.split(separator: ",").map(String.init) } ?? [],
        inverses: override?.inverses ?? attributes["inverses"].map(Self.pairs) ?? [:])
      known[typeName] = policy
      return policy
    }
  }

  /// `persons=club,captain=leads` taken apart.
  private static func pairs(_ text: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: ",") {
      let names = pair.split(separator: "=")
      if names.count == 2 { pairs[String(names[0])] = String(names[1]) }
    }
    return pairs
  }

  /// The indexes of a type that is kept in the file.
  func indexes(ofType name: String) -> [FieldIndex] { indexes[name] ?? [] }

  var indexedTypes: [String] { indexes.keys.sorted() }

  /// The fields of a type whose other end is kept right.
  func inverses(ofType name: String) -> [Inverse] {
    relations.isEmpty ? [] : relations[name] ?? []
  }

  /// A relation that is declared at one end holds at both.
  private func declaredRelations() -> [String: [Inverse]] {
    var found: [String: Set<Inverse>] = [:]
    for name in Set(schema.objectTypeNames).union(overrides.keys) {
      for (field, inverse) in policy(ofType: name).inverses ?? [:] {
        guard let other = schema.objectTypeName(ofField: "\(name).\(field)"),
          schema.objectTypeName(ofField: "\(other).\(inverse)") == name
        else { continue }
        found[name, default: []].insert(Inverse(field: field, inverse: inverse))
        found[other, default: []].insert(Inverse(field: inverse, inverse: field))
      }
    }
    return found.mapValues { $0.sorted { $0.field < $1.field } }
  }

  private func declaredIndexes() -> [String: [FieldIndex]] {
    var found: [String: [FieldIndex]] = [:]
    for name in Set(schema.objectTypeNames).union(overrides.keys) {
      let policy = policy(ofType: name)
      guard let paths = policy.queryable, policy.persistence != .transient else { continue }
      let indexes = paths.compactMap { path in
        schema.leafKind(ofPath: path, inType: name).map { FieldIndex(path: path, kind: $0) }
      }
      if !indexes.isEmpty { found[name] = indexes }
    }
    return found
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
