/// How the store handles the objects of a type. Written into the schema table.
public struct TypePolicy: Sendable, Equatable {
  /// The configuration's name for the policy of all types that it does not name. It applies to
  /// types with `id: ID!`, and only its `policy` and `maxAge` are used.
  public static let others = "*"

  /// `key`: the fields that identify an object, in order. `["id"]` by default if the type has `id:
  /// ID!`; an empty list means that the objects have no key.
  public var key: [String]?
  /// `policy`: whether objects are written to disk.
  public var policy: Persistence?
  /// `maxAge`: seconds after which an object is stale.
  public var maxAge: Int?
  /// `version`: the field whose value grows with each change on the server.
  public var version: String?
  /// `delete`: how deleting an object affects the targets of its fields, by the names of the
  /// fields.
  public var delete: [String: DeleteRule]
  /// `referrers`: what happens to objects with links to a deleted one.
  public var referrers: ReferrerRule?
  /// `queryable`: fields for which the store keeps an index, such as `vendor` or `price.amount`.
  public var queryable: [String]
  /// `inverses`: fields that lead to objects whose field leads back, such as `"persons": "club"`.
  public var inverses: [String: String]
  /// `lists`: how a new list changes the stored one, by the names of fields.
  public var lists: [String: ListRule]
  /// `supportedOperations`: names of the operations that the outbox may queue for the type.
  public var supportedOperations: [String]

  /// A policy with the given values, and defaults for the others.
  public init(
    key: [String]? = nil, policy: Persistence? = nil, maxAge: Int? = nil, version: String? = nil,
    delete: [String: DeleteRule] = [:], referrers: ReferrerRule? = nil,
    lists: [String: ListRule] = [:], queryable: [String] = [],
    inverses: [String: String] = [:], supportedOperations: [String] = []
  ) {
    self.key = key
    self.policy = policy
    self.maxAge = maxAge
    self.version = version
    self.delete = delete
    self.referrers = referrers
    self.queryable = queryable
    self.inverses = inverses
    self.lists = lists
    self.supportedOperations = supportedOperations
  }

  /// Whether objects are written to disk.
  public enum Persistence: String, Sendable, CaseIterable {
    /// Written to disk.
    case persistent
    /// Kept in memory, never written to disk.
    case transient
    /// Written to disk and purged at logout.
    case sensitive
  }

  /// How a new list changes the stored one.
  public enum ListRule: String, Sendable, CaseIterable {
    /// It replaces the stored one.
    case replace
    /// It replaces the stored one, and objects that are no longer in the list are deleted.
    case replaceDeletingOld
    /// Its objects are added after the existing ones.
    case append
  }

  /// How deleting an object affects the targets of one of its fields.
  public enum DeleteRule: String, Sendable, CaseIterable {
    /// They lose their links to it.
    case nullify
    /// They are deleted as well.
    case cascade
    /// The object is not deleted while there are any.
    case deny
    /// They stay unchanged.
    case noAction
  }

  /// The effect of a deletion on the objects with links to the deleted one.
  public enum ReferrerRule: String, Sendable, CaseIterable {
    /// The links become null.
    case unlink
    /// The objects are deleted as well.
    case delete
  }
}
