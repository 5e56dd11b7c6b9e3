import GraphQLRuntime

/// The reaction to a server that refuses an operation since it knows a newer version of the object: with
/// HTTP 409 or 412, or an error or user error with a code such as `CONFLICT` or `STALE_OBJECT`.
///
/// The object in the refusal is stored first. The third conflict in a row rejects the
/// operation, whatever the policy.
public struct ConflictRule: Sendable {
  /// The side that prevails.
  public enum Policy: Sendable {
    /// The operation is rejected.
    case serverWins
    /// It is sent again, with the version that the store knows now.
    case retryLocal
    /// The program makes new variables of its own and the server's; nil rejects the operation.
    case merge(@Sendable (Conflict) async throws -> GraphQL.JSON?)
  }

  /// The field of the object that holds its version; nil for the one that the schema table names,
  /// which has it from `version` of `graphql-generator.json`.
  public var versionField: String?
  /// The argument, or the field of an input object, in which a mutation states the version that it
  /// expects; nil for one of the version field's name.
  public var versionArgument: String?
  /// The side that prevails.
  public var policy: Policy

  /// - Parameters:
  ///   - versionField: that of the schema table where nothing else is stated.
  ///   - versionArgument: the version field's name where nothing else is stated.
  public init(
    versionField: String? = nil, versionArgument: String? = nil, policy: Policy
  ) {
    self.versionField = versionField
    self.versionArgument = versionArgument
    self.policy = policy
  }
}

/// An operation that was refused since the server knows a newer version of its object.
public struct Conflict: Sendable {
  /// The operation's ID.
  public let operation: String
  /// The object that it writes.
  public let entity: GraphQL.EntityKey
  /// Its name in its document; empty when it has none.
  public let name: String
  /// Its variables, by their names in the document.
  public let variables: GraphQL.JSON
  /// The number of the attempt that was refused.
  let attempt: Int
  /// The object as the server last sent it, without queued changes; nil where the store has none.
  public let current: GraphQL.JSON?
}
