import GraphQLRuntime

/// A result that one task waits for. The first resolution counts; the continuation leaves the state
/// before it is resumed, so it resumes once.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case resolved(Result<Value, any Error>)
    case taken
  }

  private let state = Locked(State.open)

  /// The result, which one task may ask for. It does not end by itself when that task is cancelled:
  /// who makes the promise resolves it then.
  var value: Value {
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

  func resolve(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .open:
        state = .resolved(result)
        return nil
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .resolved, .taken: return nil
      }
    }
    waiting?.resume(with: result)
  }
}
