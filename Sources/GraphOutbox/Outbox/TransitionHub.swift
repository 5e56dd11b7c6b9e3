import GraphQLRuntime

/// Tells every observer of each step, in the order of the commits.
final class TransitionHub: Sendable {
  private struct Observer: Sendable {
    let tell: @Sendable (Transition) -> Void
    let end: @Sendable () -> Void
  }

  private struct State {
    var isEnded = false
    var nextID = 0
    var observers: [Int: Observer] = [:]
  }

  private let state = Locked(State())

  func publish(_ transitions: [Transition]) {
    guard !transitions.isEmpty else { return }
    let observers = state.withLock { Array($0.observers.values) }
    for transition in transitions {
      for observer in observers { observer.tell(transition) }
    }
  }

  /// Every step from now on.
  func stream() -> AsyncStream<Transition> {
    let (stream, continuation) = AsyncStream.makeStream(of: Transition.self)
    add(continuation) { continuation.yield($0) }
    return stream
  }

  /// A signal for steps of operations on objects of a type; several before somebody looks are one.
  func signal(ofType typeName: String) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    add(continuation) { if $0.entity.typeName == typeName { continuation.yield() } }
    return stream
  }

  private func add<T>(
    _ continuation: AsyncStream<T>.Continuation, _ tell: @escaping @Sendable (Transition) -> Void
  ) {
    let id: Int? = state.withLock { state in
      if state.isEnded { return nil }
      state.nextID += 1
      state.observers[state.nextID] = Observer(tell: tell) { continuation.finish() }
      return state.nextID
    }
    guard let id else { return continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers[id] = nil }
    }
  }

  deinit { end() }

  /// Ends every sequence, and those that are made from now on.
  func end() {
    let observers = state.withLock { state in
      state.isEnded = true
      return Array(state.observers.values)
    }
    for observer in observers { observer.end() }
  }
}
