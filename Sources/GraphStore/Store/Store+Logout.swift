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
  /// What cannot be told to belong to nobody goes as well: objects that cannot be read, objects of types
  /// that the schema does not have any more, and the files that were moved aside because they could not be
  /// read (see ``recovery``).
  ///
  /// Deleted content is overwritten with zeros, in the file and by emptying the log. Responses of an
  /// earlier ``generation`` are refused from now on, in every process that has the file open.
  ///
  /// - Throws: ``StoreError``; then nothing was deleted, or the log could not be emptied yet.
  @discardableResult
  public func logout(_ scope: LogoutScope = .sensitive) async throws -> LogoutReport {
    let report = try await deleteAll(of: scope)
    try await writer.scrub()
    return report
  }

  /// A logout that leaves the log to the next checkpoint.
  func deleteAll(of scope: LogoutScope) async throws -> LogoutReport {
    let report = try await writer.perform { [generations] transaction in
      try transaction.beginLogout()
      let unsent = try transaction.clearSideTables()
      let deleted = try transaction.deleteForLogout(scope)
      let generation = try transaction.advanceGeneration(from: generations.current)
      generations.see(generation)
      generations.finish(generation)
      return LogoutReport(deleted: deleted, unsent: unsent)
    }
    clearings.publish(report.unsent)
    return report
  }
}
