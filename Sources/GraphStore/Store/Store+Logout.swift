import GraphQLRuntime

extension Graph.Store {
  /// The data that ``Store/logout(_:)`` deletes.
  public enum LogoutScope: Sendable, Hashable {
    /// Objects of sensitive and transient types, the fields of other objects that lead to them, with their arguments,
    /// and the responses to queries, whose arguments may contain tokens. Other objects stay. The deleted fields are
    /// missing, not null. They include connections that may have such objects, and fields that are null or an empty list
    /// because there is no such object for this user.
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
    try await writer.perform { [self] transaction in
      if let generation { try check(generation, in: transaction) }
      return try transaction.write(response, of: operation)
    }
  }

  /// - Throws: `GraphQL.StaleGeneration` if there was a logout since.
  func check(
    _ generation: GraphQL.StoreGeneration, in transaction: Graph.Transaction
  ) throws {
    // A logout needs the same lock, so this cannot change before the commit.
    logoutCounter.update(to: try transaction.generation())
    guard generation.number == logoutCounter.current else { throw GraphQL.StaleGeneration() }
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
  /// Erasing waits for readers in other processes, at most for ``Configuration/lockTimeout``. If the data is deleted but cannot be erased from the file, nothing is thrown, as the report is the
  /// only place that names the unsent work: see ``LogoutReport/erasureError``.
  ///
  /// - Throws: ``StoreError``; then nothing was deleted.
  @discardableResult
  public func logout(_ scope: LogoutScope = .sensitive) async throws -> Graph.LogoutReport {
    var report = try await deleteAll(of: scope)
    do { try await writer.erase() } catch { report.erasureError = error }
    return report
  }

  /// Overwrites deleted content with zeros, empties the log, and deletes the files that were moved
  /// aside. ``logout(_:)`` does this; call it again if the report has an
  /// ``LogoutReport/erasureError``.
  ///
  /// - Throws: ``StoreError``, for example if another process reads the file.
  public func eraseDeletedData() async throws(Graph.StoreError) { try await writer.erase() }

  /// A logout that leaves the log to the next checkpoint.
  package func deleteAll(of scope: LogoutScope) async throws -> Graph.LogoutReport {
    try await withCheckedThrowingContinuation { continuation in
      writer.perform { [logoutCounter] transaction in
        try transaction.beginLogout()
        let unsent = try transaction.clearExtensionTables()
        let deleted = try transaction.deleteForLogout(isEverything: scope == .everything)
        let generation = try transaction.advanceGeneration(from: logoutCounter.current)
        // Not earlier: what is read or requested until the commit still belongs to the user who logs out.
        transaction.onCommit = {
          logoutCounter.update(to: generation)
          logoutCounter.markFinished(generation)
        }
        // The rows of connections have keys with cursors.
        return Graph.LogoutReport(deleted: deleted.filter { !$0.isOfConnection }, unsent: unsent)
      } completion: { [logoutObservers] result in
        // Before any later transaction.
        if case .success(let report) = result { logoutObservers.publish(report.unsent) }
        continuation.resume(with: result)
      }
    }
  }
}

extension Graph.Store {
  /// Calls `body` after each commit that emptied the extension tables, with the work that was never
  /// sent, until the registration is released. The work is nil if another store has deleted it.
  package func onLogout(
    _ body: @escaping @Sendable ([Graph.UnsentWork]?) -> Void
  ) -> Registration {
    logoutObservers.add(body)
  }
}
