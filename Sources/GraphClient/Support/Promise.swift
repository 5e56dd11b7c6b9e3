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
