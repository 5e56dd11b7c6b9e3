import GraphQLRuntime

extension Graph {
  /// The reaction to a server that refuses an operation because it has a newer version of the object:
  /// with HTTP 409 or 412, or an error or user error with a code such as `CONFLICT` or
  /// `STALE_OBJECT`.
  ///
  /// The object in the refusal is stored first. The third conflict in a row rejects the
  /// operation, whatever the policy.
  public struct ConflictRule: Sendable {
    /// The side that prevails.
    public enum Policy: Sendable {
      /// The operation is rejected.
      case serverWins
      /// The operation is retried, with the version that the store has now.
      case retryLocal
      /// The program creates new variables from its own and the server's; nil rejects the operation.
      case merge(@Sendable (Conflict) async throws -> GraphQL.JSON?)
    }

    /// The field with the object's version; nil for the one in the schema table, which comes from
    /// `version` of `graphql-generator.json`.
    public var versionField: String?
    /// The argument of a root field, or the field of an input object in its arguments, in which a mutation states
    /// the expected version with a variable; nil for one with the version field's name. If several root fields have
    /// it, the one whose arguments contain the object's key counts, or else the first.
    public var versionArgument: String?
    /// The side that prevails.
    public var policy: Policy

    /// - Parameters:
    ///   - versionField: by default the schema table's.
    ///   - versionArgument: by default the version field's name.
    public init(
      versionField: String? = nil, versionArgument: String? = nil, policy: Policy
    ) {
      self.versionField = versionField
      self.versionArgument = versionArgument
      self.policy = policy
    }
  }

  /// An operation that was refused because the server has a newer version of its object.
  public struct Conflict: Sendable {
    /// The operation's ID.
    public let operation: String
    /// The object that it writes.
    public let entity: GraphQL.EntityKey
    /// Its name in its document; empty if it has none.
    public let name: String
    let document: String
    /// Its variables, by their names in the document.
    public let variables: GraphQL.JSON
    /// The number of the refused attempt.
    let attempt: Int
    /// The object as the server last sent it, without queued changes; nil if the store has none.
    public let current: GraphQL.JSON?
  }
}
