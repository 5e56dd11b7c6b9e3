import GraphQLRuntime

extension Graph.Outbox {
  /// Stops sending until ``resume()``. Operations in progress continue.
  public func pause() async { await sender.pause() }

  /// Ends a pause.
  public func resume() async { await sender.resume() }

  /// Sets whether there is a network. Without one, nothing is sent. When it is back, delays that no
  /// server has requested end.
  public func setReachable(_ isReachable: Bool) async throws {
    try checkOpen()
    try await sender.setReachable(isReachable)
  }

  /// Reports new credentials: operations that await them are retried.
  public func credentialsRenewed() async throws {
    try checkOpen()
    try await sender.renewCredentials()
  }

  /// Sends all operations that can be sent now, and returns when none is in progress.
  public func flush() async { await sender.flush() }

  /// Sends all operations that can be sent now, for a background task. Returns when none is in
  /// progress, at the deadline at the latest. Operations that are then in progress continue.
  ///
  /// - Returns: whether no operation was in progress, and the results of all are stored. A disk that
  ///   fails is retried later.
  @discardableResult
  public func flush(within deadline: Duration) async -> Bool {
    await sender.flush(within: deadline)
  }

  /// Retries an operation without delay: one that waits for the end of a delay, that awaits credentials, or
  /// that is `uncertain` and known not to have been carried out.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `Graph.StoreError`.
  public func retry(_ operation: String) async throws {
    try checkOpen()
    try await queue.change(operation) { writer, operation in
      guard operation.state != .blocked else {
        throw Graph.OutboxError(
          .invalidTransition,
          "the operation is blocked: it waits for another operation, or the schema does not contain it"
        )
      }
      try writer.retry(operation)
    }
    await sender.sendDue()
  }

  /// Cancels an operation that is not in progress; those that need it are rejected.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `Graph.StoreError`.
  public func cancel(_ operation: String) async throws {
    try checkOpen()
    try await queue.change(operation) { try $0.finish($1, .cancelled) }
    queue.forget(operation)
    await sender.sendDue()
  }

  /// Ends an `uncertain` operation that is known to have been carried out.
  ///
  /// - Parameter key: the server's key of the object that it created, if any.
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `Graph.StoreError`.
  public func confirm(_ operation: String, key: GraphQL.ID? = nil) async throws {
    try checkOpen()
    try await queue.change(operation) { writer, operation in
      guard operation.state == .uncertain else {
        throw Graph.OutboxError(
          .invalidTransition, "an operation in the state \(operation.state) cannot be confirmed")
      }
      try writer.finish(operation, .received, key: key?.rawValue)
    }
    queue.forget(operation)
    await sender.sendDue()
  }
}
