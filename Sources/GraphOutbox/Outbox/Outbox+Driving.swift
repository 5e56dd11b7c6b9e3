import GraphQLRuntime

extension Outbox {
  /// Sends nothing more until ``resume()``. What is on its way goes on.
  public func pause() async { await sender.pause() }

  /// Ends a pause.
  public func resume() async { await sender.resume() }

  /// Says whether there is a network. While there is none nothing is sent; when it is back, delays
  /// that no server has asked for end.
  public func setReachable(_ isReachable: Bool) async throws {
    try checkOpen()
    try await sender.setReachable(isReachable)
  }

  /// Says that there are new credentials: parked operations are sent again.
  public func credentialsRenewed() async throws {
    try checkOpen()
    try await sender.renewCredentials()
  }

  /// Sends what can be sent now, and returns when nothing is on its way any more.
  public func flush() async { await sender.flush() }

  /// The same for a background task: returns at the deadline at the latest. What is on its way then goes
  /// on.
  ///
  /// - Returns: whether nothing was on its way any more.
  @discardableResult
  public func flush(within deadline: Duration) async -> Bool {
    await sender.flush(within: deadline)
  }

  /// Sends an operation again without delay: one that waits for the end of a delay, that is parked,
  /// or that is `uncertain` and known not to have been carried out.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `StoreError`.
  public func retry(_ operation: String) async throws {
    try checkOpen()
    try await queue.change(operation) { writer, operation in
      guard operation.state != .blocked else {
        throw OutboxError(
          .invalidTransition,
          "the operation is blocked: it waits for one that it needs, or the schema lacks it")
      }
      try writer.retry(operation)
    }
    await sender.pump()
  }

  /// Takes an operation back that is not on its way; those that need it are rejected.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `StoreError`.
  public func cancel(_ operation: String) async throws {
    try checkOpen()
    try await queue.change(operation) { try $0.finish($1, .cancelled) }
    queue.forget(operation)
    await sender.pump()
  }

  /// Ends an `uncertain` operation that is known to have been carried out.
  ///
  /// - Parameter key: the server's key of the object that it made, where it made one.
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `StoreError`.
  public func confirm(_ operation: String, key: GraphQL.ID? = nil) async throws {
    try checkOpen()
    try await queue.change(operation) { writer, operation in
      guard operation.state == .uncertain else {
        throw OutboxError(.invalidTransition, "an operation that is \(operation.state) is not open")
      }
      try writer.finish(operation, .received, key: key?.rawValue)
    }
    queue.forget(operation)
    await sender.pump()
  }
}
