extension Graph {
  /// Runs `work` so that the caller can leave it: it returns at once when the calling task is
  /// cancelled or `giveUp` is called, even if `work` ignores cancellation. The abandoned work then
  /// continues in a separate, cancelled task, and its result is not used.
  ///
  /// - Parameters:
  ///   - arm: receives `giveUp`, and returns alarms that are cancelled when the work is over.
  ///   - onLeaving: called before the caller returns for a reason other than the work's end.
  static func abandonable<Value: Sendable>(
    onLeaving: @escaping @Sendable () -> Void = {},
    arm: (_ giveUp: @escaping @Sendable (any Error) -> Void) -> [Alarm],
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
    let alarms = arm(giveUp)
    defer { for alarm in alarms { alarm.cancel() } }
    return try await withTaskCancellationHandler {
      try await promise.value
    } onCancel: {
      giveUp(CancellationError())
    }
  }
}
