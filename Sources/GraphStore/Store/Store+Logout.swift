import GraphQLRuntime

extension Graph.Store {
  /// The data that ``Store/logout(_:)`` deletes.
  public enum LogoutScope: Sendable, Hashable {
    /// Objects of sensitive and transient types, the references to them, and the responses to
    /// queries, whose arguments may contain tokens. Other objects stay.
    case sensitive
    /// Every object.
    case everything
  }

  /// Identifies the user whose data is stored: it changes with each logout. Read it before a
  /// request is sent, and pass it to ``write(_:of:in:)`` with the response.
  public var generation: GraphQL.StoreGeneration { GraphQL.StoreGeneration(logoutCounter.current) }

  /// Stores a response unless there was a logout since its request was created.
  ///
  /// - Throws: `GraphQL.StaleGeneration`, ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.StoreGeneration?
  ) async throws -> Graph.WriteSummary {
    try await writer.perform { [logoutCounter] transaction in
      if let generation {
        // A logout needs the same lock, so this cannot change before the commit.
        logoutCounter.update(to: try transaction.generation())
        guard generation.number == logoutCounter.current else { throw GraphQL.StaleGeneration() }
      }
      return try transaction.write(response, of: operation)
    }
  }

  /// Deletes the user's data, objects and unsent work, in one transaction, and erases it from the
  /// file.
  ///
  /// Data without a known owner is deleted as well: objects that cannot be read, objects of types
  /// that the schema no longer has or whose objects have no key, and the files that were moved
  /// aside because they could not be read (see ``recovery``).
  ///
  /// Deleted content is overwritten with zeros, in the file and by emptying the log. Responses of an
  /// earlier ``generation`` are refused from now on, in every process that has the file open.
  ///
  /// - Throws: ``StoreError``; then nothing was deleted, or the log could not be emptied yet.
  @discardableResult
  public func logout(_ scope: LogoutScope = .sensitive) async throws -> Graph.LogoutReport {
    let report = try await deleteAll(of: scope)
    try await writer.scrub()
    return report
  }

  /// A logout that leaves the log to the next checkpoint.
  package func deleteAll(of scope: LogoutScope) async throws -> Graph.LogoutReport {
    let report = try await writer.perform { [logoutCounter] transaction in
      try transaction.beginLogout()
      let unsent = try transaction.clearExtensionTables()
      let deleted = try transaction.deleteForLogout(isEverything: scope == .everything)
      let generation = try transaction.advanceGeneration(from: logoutCounter.current)
      logoutCounter.update(to: generation)
      logoutCounter.markFinished(generation)
      return Graph.LogoutReport(deleted: deleted, unsent: unsent)
    }
    logoutObservers.publish(report.unsent)
    return report
  }
}
