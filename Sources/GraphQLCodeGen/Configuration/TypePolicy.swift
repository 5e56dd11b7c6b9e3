/// How the store treats the objects of a type. Written into the schema table.
public struct TypePolicy: Sendable, Equatable {
  /// The name under which the configuration has the policy of all types that it does not name. It holds for
  /// types with `id: ID!`, and of it `policy` and `maxAge`.
  public static let others = "*"

  /// `key`: the fields that identify an object, in order. `["id"]` by default where the type has
  /// `id: ID!`; an empty list says that the objects have no identity.
  public var key: [String]?
  /// `policy`: whether objects are written to disk.
  public var policy: Persistence?
  /// `maxAge`: seconds after which an object is stale.
  public var maxAge: Int?
  /// `version`: the field whose value grows with each change on the server.
  public var version: String?
  /// `delete`: what deleting an object does to those that its fields lead to, by the names of the fields.
  public var delete: [String: DeleteRule]
  /// `referrers`: what happens to objects that refer to a deleted one.
  public var referrers: ReferrerRule?
  /// `queryable`: fields by which the store finds objects with an index, as `vendor` or
  /// `price.amount`.
  public var queryable: [String]
  /// `inverses`: fields that lead to objects whose field leads back, as `"persons": "club"`.
  public var inverses: [String: String]
  /// `lists`: what a list that arrives does to the one that is stored, by the names of fields.
  public var lists: [String: ListRule]
  /// `supportedOperations`: names of the operations that the outbox may queue for the type.
  public var supportedOperations: [String]

  /// A policy with the values that are given, and defaults for the others.
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

  /// What a list that arrives does to the one that is stored.
  public enum ListRule: String, Sendable, CaseIterable {
    /// It takes its place.
    case replace
    /// It takes its place, and the objects that are in the list no more are deleted.
    case replaceDeletingOld
    /// Its objects are added after those that are there.
    case append
  }

  /// What deleting an object does to those that one of its fields leads to.
  public enum DeleteRule: String, Sendable, CaseIterable {
    /// They lose their links to it.
    case nullify
    /// They are deleted as well.
    case cascade
    /// While there are any, it is not deleted.
    case deny
    /// They stay as they are.
    case noAction
  }

  /// What happens to the objects that hold links to a deleted one.
  public enum ReferrerRule: String, Sendable, CaseIterable {
    /// The links become null.
    case unlink
    /// The objects are deleted as well.
    case delete
  }
}
