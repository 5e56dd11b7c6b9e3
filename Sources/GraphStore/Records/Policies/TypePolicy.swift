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
