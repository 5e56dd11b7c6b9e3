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
  public var generation: GraphQL.ModelGeneration { GraphQL.ModelGeneration(generations.current) }

  /// Stores a response unless somebody has logged out since its request was made.
  ///
  /// - Throws: `GraphQL.StaleGeneration`, ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.ModelGeneration?
  ) async throws -> GraphQL.Record {
    try await writer.perform { [generations] transaction in
      if let generation {
        // Logging out has its turn on the same lock, so this cannot change before the commit.
        generations.see(try transaction.generation())
        guard generation.number == generations.current else { throw GraphQL.StaleGeneration() }
      }
      return try transaction.write(response, of: operation)
    }
  }

  /// Deletes what belongs to the user, objects and unsent work, in one transaction, and scrubs it from
  /// the file.
  ///
  /// Deleted content is overwritten with zeros, in the file and by emptying the log. Responses of an
  /// earlier ``generation`` are refused from now on, in every process that has the file open.
  ///
  /// - Throws: ``StoreError``; then nothing was deleted, or the log could not be emptied yet.
  @discardableResult
  public func logout(_ scope: LogoutScope = .sensitive) async throws -> LogoutReport {
    let report = try await writer.perform { [generations] transaction in
      let unsent = try transaction.clearSideTables()
      let deleted = try transaction.deleteForLogout(scope)
      generations.see(try transaction.advanceGeneration(from: generations.current))
      return LogoutReport(deleted: deleted, unsent: unsent)
    }
    clearings.publish(report.unsent)
    try await writer.scrub()
    return report
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

  /// The number of logouts that the file knows of; 0 in a store without one.
  fileprivate func generation() throws(StoreError) -> UInt64 {
    UInt64(bitPattern: try connection?.integer(.generation) ?? 0)
  }

  /// - Parameter current: the number of a store without a file.
  fileprivate func advanceGeneration(from current: UInt64) throws(StoreError) -> UInt64 {
    guard let connection else { return current + 1 }
    try connection.run(.advanceGeneration)
    return try generation()
  }
}
