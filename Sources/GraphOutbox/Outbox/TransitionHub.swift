import GraphQLRuntime

/// Tells every observer of each step, in the order of the commits.
final class TransitionHub: Sendable {
  private struct State {
    var nextID = 0
    var observers: [Int: AsyncStream<Transition>.Continuation] = [:]
  }

  private let state = Locked(State())

  func publish(_ transitions: [Transition]) {
    guard !transitions.isEmpty else { return }
    let observers = state.withLock { Array($0.observers.values) }
    for transition in transitions {
      for observer in observers { observer.yield(transition) }
    }
  }

  func stream() -> AsyncStream<Transition> {
    let (stream, continuation) = AsyncStream.makeStream(of: Transition.self)
    let id = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers[id] = nil }
    }
    return stream
  }

  deinit { state.withLock { $0.observers.values.forEach { $0.finish() } } }
}
