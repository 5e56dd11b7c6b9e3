import GraphQLRuntime

/// A result for which one task waits. The first resolution counts. The continuation is removed from
/// the state before it is resumed, so it resumes once.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case resolved(Result<Value, any Error>)
    case taken
  }

  private let state = Locked(State.open)

  package init() {}

  /// The result, which one task may read. It does not end when that task is cancelled: the creator
  /// of the promise must resolve it then.
  package var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          guard case .resolved(let result) = state else {
            state = .waiting(continuation)
            return nil
          }
          state = .taken
          return result
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }

  package var isResolved: Bool {
    state.withLock { state in
      switch state {
      case .open, .waiting: false
      case .resolved, .taken: true
      }
    }
  }

  /// - Returns: whether this is the first resolution.
  @discardableResult
  package func resolve(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, waiting) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, any Error>?) in
      switch state {
      case .open:
        state = .resolved(result)
        return (true, nil)
      case .waiting(let continuation):
        state = .taken
        return (true, continuation)
      case .resolved, .taken: return (false, nil)
      }
    }
    waiting?.resume(with: result)
    return isFirst
  }
}

/// A result for which any number of tasks wait. A cancelled task returns at once; the others
/// continue to wait. The first resolution counts.
final class SharedResult<Value: Sendable>: Sendable {
  private enum State {
    case open(waiting: [ObjectIdentifier: Promise<Value>])
    case resolved(Result<Value, any Error>)
  }

  private let state = Locked(State.open(waiting: [:]))

  /// The number of waiting tasks.
  var waiterCount: Int {
    state.withLock { if case .open(let waiting) = $0 { waiting.count } else { 0 } }
  }

  /// The result.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled before.
  var value: Value {
    get async throws {
      let promise = Promise<Value>()
      let result = state.withLock { state -> Result<Value, any Error>? in
        switch state {
        case .resolved(let result): return result
        case .open(var waiting):
          waiting[ObjectIdentifier(promise)] = promise
          state = .open(waiting: waiting)
          return nil
        }
      }
      if let result { return try result.get() }
      return try await withTaskCancellationHandler {
        try await promise.value
      } onCancel: {
        leave(promise)
        promise.resolve(.failure(CancellationError()))
      }
    }
  }

  func resolve(_ result: Result<Value, any Error>) {
    let promises = state.withLock { state -> [Promise<Value>] in
      guard case .open(let waiting) = state else { return [] }
      state = .resolved(result)
      return Array(waiting.values)
    }
    for promise in promises { promise.resolve(result) }
  }

  private func leave(_ promise: Promise<Value>) {
    state.withLock { state in
      guard case .open(var waiting) = state else { return }
      waiting[ObjectIdentifier(promise)] = nil
      state = .open(waiting: waiting)
    }
  }
}

extension Graph {
  /// Runs `work` so that the caller can leave it: it returns at once when the calling task is
  /// cancelled or `giveUp` is called, even if `work` ignores cancellation. The abandoned work then
  /// continues in a separate, cancelled task, and its result is not used.
  ///
  /// - Parameters:
  ///   - schedule: receives `giveUp`, and returns the actions that call it. They are cancelled when
  ///     the work is over.
  ///   - onLeaving: called before the caller returns for a reason other than the work's end.
  package static func abandonable<Value: Sendable>(
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
