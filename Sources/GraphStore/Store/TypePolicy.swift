/// How the store treats the objects of a type, where that differs from the schema table.
///
/// What is nil is as `graphql-generator.json` has it, or by default.
public struct TypePolicy: Sendable, Hashable {
  /// The name in ``Store/Configuration/policies`` under which the policy of all types is that are not named
  /// there or in `graphql-generator.json`: `[TypePolicy.others: TypePolicy(persistence: .transient)]` keeps
  /// objects of the named types only. It holds for types with key fields, and of it `persistence` and
  /// `maximumAge`.
  public static let others = "*"

  /// Whether objects are written to the file.
  public enum Persistence: String, Sendable, Hashable {
    /// Written to the file.
    case persistent
    /// Kept in memory, never written to the file; nor are the keys of the objects, nor objects of types
    /// that are not named and to which only such objects lead.
    case transient
    /// Written to the file and purged at logout.
    case sensitive
  }

  /// What deleting an object does to those that one of its fields leads to.
  public enum DeleteRule: String, Sendable, Hashable {
    /// They stay, and lose their links to it.
    case nullify
    /// They are deleted as well.
    case cascade
    /// While there are any that are not deleted with it, it is not deleted: `deletionDenied` is thrown. What
    /// a response or the server's answer to a queued operation deletes is deleted all the same, and so is
    /// what a logout deletes.
    case deny
    /// They stay as they are, with their links to an object that is not there any more.
    case noAction
  }

  /// What happens to the objects that hold links to a deleted one, whichever of their fields has them.
  public enum ReferrerRule: String, Sendable, Hashable {
    /// The links become null where the schema allows it, and are missing otherwise; lists lose them.
    case unlink
    /// The objects are deleted as well.
    case delete
  }

  /// The fields that identify an object, in order; an empty list says that objects have no identity.
  /// By default `id`, where the type has `id: ID!`.
  public var key: [String]?
  /// By default persistent.
  public var persistence: Persistence?
  /// How long after a response last brought it an object is fresh; nil for ever.
  public var maximumAge: Duration?
  /// By the names of fields that lead to objects; `nullify` for fields that are not named.
  public var deleteRules: [String: DeleteRule]?
  /// By default unlink.
  public var referrers: ReferrerRule?
  /// Fields by which objects are found and sorted with an index: `vendor`, or `price.amount` for a
  /// field of an object that has no key and is part of this one. None by default.
  public var queryable: [String]?
  /// Fields that lead to objects whose field leads back, by their names: `["persons": "club"]`. The
  /// store keeps both ends right. None by default.
  public var inverses: [String: String]?
  /// What a list that arrives does to the one that is stored, by the names of fields; `replace` for
  /// fields that are not named.
  public var lists: [String: JSONMapping.ListRule]?

  /// A policy with the values that are given, and defaults for the others.
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
