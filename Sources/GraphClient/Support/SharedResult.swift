import GraphQLRuntime

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
