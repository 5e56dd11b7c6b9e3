import GraphJSON
import GraphQLRuntime
import GraphStorage

/// How objects of each type are kept: the schema table's policies, overridden by the store's
/// configuration.
final class Policies: Sendable {
  let schema: GraphQL.SchemaTable
  let scanNotices: ScanNotices?
  /// How lists of a response change the stored ones, by `Type.field`.
  let lists: [String: Graph.JSONMapping.ListRule]
  private let resolver: PolicyResolver
  private let paging: GraphQL.PagingNames
  private let indexes: [String: [FieldIndex]]
  private let relations: [String: [InverseRelation]]
  private let transientTypes: Set<String>
  private let userTypes: Set<String>
  private let known = Locked<[String: Graph.TypePolicy]>([:])
  /// Whether types have objects with a key, by their names.
  private let entities = Locked<[String: Bool]>([:])
  /// Whether types and fields lead to entities that are kept in memory, by names and coordinates.
  private let reachesTransient = Locked<[String: Bool]>([:])
  /// Whether fields lead to objects that a logout deletes, by coordinates.
  private let reachesUser = Locked<[String: Bool]>([:])

  init(
    schema: GraphQL.SchemaTable, overrides: [String: Graph.TypePolicy],
    paging: GraphQL.PagingNames = .init(), scanNotices: ScanNotices? = nil
  ) {
    self.schema = schema
    self.paging = paging
    self.scanNotices = scanNotices
    resolver = PolicyResolver(schema: schema, overrides: overrides)
    lists = resolver.lists
    indexes = resolver.indexes
    relations = resolver.relations
    transientTypes = resolver.transientTypes
    userTypes = resolver.userTypes
  }

  /// Plans of how objects are stored, for one task.
  func makePlanner() -> GraphQL.StoragePlanner {
    GraphQL.StoragePlanner(schema: schema, keys: resolver.keys, paging: paging)
  }

  /// The policy of a type, with all defaults applied. The rows of a connection have that of its
  /// owner.
  func policy(ofType name: String) -> Graph.TypePolicy {
    known.withLock { known in
      if let policy = known[name] { return policy }
      let policy = resolver.policy(ofType: GraphQL.EntityKey.policyTypeName(name))
      known[name] = policy
      return policy
    }
  }

  /// Whether an object without a key may be part of a record that is kept in that way.
  func mayEmbed(_ typeName: String, in owner: Graph.TypePolicy.Persistence) -> Bool {
    switch policy(ofType: typeName).persistence {
    case .transient: owner == .transient
    case .sensitive: owner != .persistent
    default: true
    }
  }

  /// The indexes of a type that is kept in the file.
  func indexes(ofType name: String) -> [FieldIndex] { indexes[name] ?? [] }

  var indexedTypes: [String] { indexes.keys.sorted() }

  var hasInverses: Bool { !relations.isEmpty }

  /// The fields of a type whose other side is updated.
  func inverses(ofType name: String) -> [InverseRelation] {
    relations.isEmpty ? [] : relations[name] ?? []
  }

  /// Whether the type's objects have a key and are not roots.
  func isEntity(_ typeName: String) -> Bool {
    entities.withLock { entities in
      if let known = entities[typeName] { return known }
      let isEntity = resolver.isEntity(typeName)
      entities[typeName] = isEntity
      return isEntity
    }
  }

  /// Whether a type may have the row of an object with that key: it has objects with a key, or is
  /// the root of queries, which has the empty one.
  func mayHaveRow(_ typeName: String, key: String) -> Bool {
    isEntity(typeName) || (key.isEmpty && schema.queryTypeName == typeName)
  }

  /// Whether objects of every type are kept in the file.
  var areAllStored: Bool { transientTypes.isEmpty }

  func isTransient(_ name: String) -> Bool {
    guard !transientTypes.isEmpty else { return false }
    if transientTypes.contains(GraphQL.EntityKey.policyTypeName(name)) { return true }
    // The rows of a connection contain links to its nodes.
    guard let (owner, field) = Self.parts(ofCoordinate: name) else { return false }
    return leadsToTransient(field, of: owner)
  }

  /// Whether a logout deletes the objects of a type, or the rows of a connection with that coordinate: these contain
  /// keys and cursors of its nodes.
  func isDeletedAtLogout(_ name: String) -> Bool {
    if userTypes.contains(GraphQL.EntityKey.policyTypeName(name)) { return true }
    guard let (owner, field) = Self.parts(ofCoordinate: name) else { return false }
    return leadsToUser(field, of: owner)
  }

  private static func parts(ofCoordinate name: String) -> (owner: String, field: String)? {
    name.utf8.firstIndex(of: UInt8(ascii: ".")).map {
      (String(name[..<$0]), String(name[name.index(after: $0)...]))
    }
  }

  /// Whether an object of a type that is kept in the file may have links to objects that are not.
  func leadsToTransient(_ name: String) -> Bool {
    guard !transientTypes.isEmpty else { return false }
    return reachesTransient.withLock { known in
      if let leads = known[name] { return leads }
      let leads = resolver.leadsToTransient(name)
      known[name] = leads
      return leads
    }
  }

  /// Whether one field of an object that is kept in the file may have links to objects that are not.
  func leadsToTransient(_ field: String, of typeName: String) -> Bool {
    leads(field, of: typeName, to: transientTypes, reachesTransient)
  }

  /// Whether one field may lead to objects that a logout deletes.
  func leadsToUser(_ field: String, of typeName: String) -> Bool {
    leads(field, of: typeName, to: userTypes, reachesUser)
  }

  private func leads(
    _ field: String, of typeName: String, to types: Set<String>, _ known: Locked<[String: Bool]>
  ) -> Bool {
    guard !types.isEmpty else { return false }
    let coordinate = "\(typeName).\(field)"
    return known.withLock { known in
      if let leads = known[coordinate] { return leads }
      let leads = resolver.leads(field, of: typeName, to: types)
      known[coordinate] = leads
      return leads
    }
  }

  /// The key of an object of a generated class.
  func key<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, _ key: String
  ) throws(Graph.StoreError) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: try typeName(of: type), key: key)
  }

  /// The name of the object type of a generated class.
  func typeName(of type: GraphQL.AbstractResponse.Type) throws(Graph.StoreError) -> String {
    guard let name = schema.objectTypeName(of: type) else {
      throw Graph.StoreError(
        .notAnEntity,
        "\(type) is not the class of an object type of \(schema.name); use a generated class of an object type"
      )
    }
    return name
  }
}

extension Policies {
  /// A record with only the key's fields.
  func placeholder(for key: GraphQL.EntityKey) -> JSONDocument {
    let fields = policy(ofType: key.typeName).key ?? []
    var values = [key.key]
    if fields.count > 1, case .array(let elements)? = try? JSON(parsing: Array(key.key.utf8)) {
      values = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("__typename")
    writer.string(key.typeName)
    for (field, value) in zip(fields, values) {
      writer.key(field)
      writer.string(value)
    }
    writer.endObject()
    do {
      return try JSONDocument(parsing: writer.finish())
    } catch {
      preconditionFailure("the writer's text is not JSON: \(error)")
    }
  }
}

extension Graph {
  /// How the store handles the objects of a type, where that differs from the schema table.
  ///
  /// nil values are those of `graphql-generator.json`, or the defaults.
  public struct TypePolicy: Sendable, Hashable {
    /// The name in ``Store/Configuration/policies`` for all types that are not named there or in
    /// `graphql-generator.json`: `[Graph.TypePolicy.others: Graph.TypePolicy(persistence: .transient)]` keeps
    /// only objects of the named types. It applies to types with key fields, and only its
    /// `persistence` and `maximumAge` are used.
    public static let others = "*"

    /// Whether objects are written to the file.
    public enum Persistence: String, Sendable, Hashable {
      /// Written to the file.
      case persistent
      /// Kept in memory, never written to the file; nor are the keys of the objects, nor objects of
      /// unnamed types to which only such objects lead.
      case transient
      /// Written to the file and purged at logout.
      case sensitive
    }

    /// How deleting an object affects the targets of one of its fields.
    public enum DeleteRule: String, Sendable, Hashable {
      /// They stay, and lose their links to it.
      case nullify
      /// They are deleted as well.
      case cascade
      /// The object is not deleted while there are targets that are not deleted with it:
      /// `deletionDenied` is thrown. Deletions by a response, by the response to a queued operation,
      /// or by a logout are not denied.
      case deny
      /// They stay unchanged, with their links to the deleted object.
      case noAction
    }

    /// The effect of a deletion on the objects with links to the deleted one, in any of their fields.
    public enum ReferrerRule: String, Sendable, Hashable {
      /// The links become null if the schema allows it, and are missing otherwise; lists lose them.
      case unlink
      /// The objects are deleted as well.
      case delete
    }

    /// The fields that identify an object, in order; an empty list means that objects have no key. By
    /// default `id`, if the type has `id: ID!`.
    public var key: [String]?
    /// Persistent by default.
    public var persistence: Persistence?
    /// How long an object is fresh after a response last contained it; nil for no limit.
    public var maximumAge: Duration?
    /// By the names of fields that lead to objects; `nullify` for fields that are not named.
    public var deleteRules: [String: DeleteRule]?
    /// Unlink by default.
    public var referrers: ReferrerRule?
    /// Fields with an index for filters and sort orders: `vendor`, or `price.amount` for a field of
    /// an object that has no key and is part of this one. None by default.
    public var queryable: [String]?
    /// Fields that lead to objects whose field leads back, by their names: `["persons": "club"]`. The
    /// store updates both sides. None by default.
    public var inverses: [String: String]?
    /// How a new list changes the stored one, by the names of fields; `replace` for fields that are
    /// not named.
    public var lists: [String: JSONMapping.ListRule]?

    /// A policy with the given values, and defaults for the others.
    public init(
      key: [String]? = nil, persistence: Persistence? = nil, maximumAge: Duration? = nil,
      deleteRules: [String: DeleteRule]? = nil, referrers: ReferrerRule? = nil,
      lists: [String: JSONMapping.ListRule]? = nil, queryable: [String]? = nil,
      inverses: [String: String]? = nil
    ) {
      self.key = key
      self.persistence = persistence
      self.maximumAge = maximumAge
      self.deleteRules = deleteRules
      self.referrers = referrers
      self.queryable = queryable
      self.inverses = inverses
      self.lists = lists
    }
  }
}

/// A relation that is maintained on both sides: a field, and the field that leads back.
struct InverseRelation: Sendable, Hashable {
  let field: String
  let inverse: String
}
