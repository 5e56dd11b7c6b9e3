import GraphQLRuntime

extension Store {
  /// What ``Store/logout(_:)`` deletes.
  public enum LogoutScope: Sendable, Hashable {
    /// Objects of sensitive and transient types, the references to them, and the answers to queries,
    /// whose arguments may hold tokens. Other objects stay.
    case sensitive
    /// Every object.
    case everything
  }

  /// Whose data is being stored: it changes with each logout. Take it before a request is sent, and
  /// hand it to ``write(_:of:in:)`` with the answer.
  public struct Generation: Sendable, Hashable {
    let number: UInt64
  }

  /// The generation of now.
  public var generation: Generation { Generation(number: generations.current) }

  /// Stores a response unless somebody has logged out since its request was made.
  ///
  /// - Throws: ``StoreError``, in particular `staleGeneration`; nothing was written then.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: Generation
  ) async throws -> GraphQL.Record {
    try await writer.perform { [generations] transaction in
      // Logging out has its turn on the same queue, so this cannot change before the commit.
      guard generation.number == generations.current else {
        throw StoreError(.staleGeneration, "the response belongs to a user who has logged out")
      }
      return try transaction.write(response, of: operation)
    }
  }

  /// Deletes what belongs to the user in one transaction, and scrubs it from the file.
  ///
  /// Deleted content is overwritten with zeros, in the file and by emptying the log. Responses of an
  /// earlier ``generation`` are refused from now on.
  ///
  /// - Returns: the keys of what was deleted.
  /// - Throws: ``StoreError``; then nothing was deleted, or the log could not be emptied yet.
  @discardableResult
  public func logout(_ scope: LogoutScope = .sensitive) async throws -> [GraphQL.EntityKey] {
    let deleted = try await writer.perform { [generations] transaction in
      let deleted = try transaction.deleteForLogout(scope)
      generations.advance()
      return deleted
    }
    try await writer.scrub()
    return deleted
  }
}

extension Transaction {
  fileprivate func deleteForLogout(
    _ scope: Store.LogoutScope
  ) throws(StoreError) -> [GraphQL.EntityKey] {
    var gone: [GraphQL.EntityKey] = []
    try forEachRecord { key, _ throws(StoreError) in
      let persistence = policies.policy(ofType: key.typeName).persistence
      let isCache = key.key.isEmpty
      if scope == .everything || persistence != .persistent || isCache { gone.append(key) }
    }
    if scope == .sensitive { return try delete(gone) }
    // There is nobody left to refer to anything.
    try deleteAll()
    return gone
  }
}
