extension Graph {
  /// Runs `work` so that the caller can leave it: it returns at once when the calling task is
  /// cancelled or `giveUp` is called, even if `work` ignores cancellation. The abandoned work then
  /// continues in a separate, cancelled task, and its result is not used.
  ///
  /// - Parameters:
  ///   - schedule: receives `giveUp`, and returns the actions that call it. They are cancelled when
  ///     the work is over.
  ///   - onLeaving: called before the caller returns for a reason other than the work's end.
  static func abandonable<Value: Sendable>(
    onLeaving: @escaping @Sendable () -> Void = {},
    schedule: (_ giveUp: @escaping @Sendable (any Error) -> Void) -> [ScheduledAction],
    work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let promise = Promise<Value>()
    let task = Task {
      do { promise.resolve(.success(try await work())) } catch { promise.resolve(.failure(error)) }
    }
    let giveUp: @Sendable (any Error) -> Void = { error in
      onLeaving()
      promise.resolve(.failure(error))
      task.cancel()
    }
    let timeouts = schedule(giveUp)
    defer { for timeout in timeouts { timeout.cancel() } }
    return try await withTaskCancellationHandler {
      try await promise.value
    } onCancel: {
      giveUp(CancellationError())
    }
  }
}
