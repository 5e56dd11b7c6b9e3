import GraphQLRuntime

/// Tells every observer of each step, in the order of the commits.
final class TransitionHub: Sendable {
  typealias Observer = @Sendable (Transition) -> Void

  private struct State {
    var nextID = 0
    var observers: [Int: Observer] = [:]
    var ends: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Locked(State())

  func publish(_ transitions: [Transition]) {
    guard !transitions.isEmpty else { return }
    let observers = state.withLock { Array($0.observers.values) }
    for transition in transitions {
      for observer in observers { observer(transition) }
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

  private func add<T>(_ continuation: AsyncStream<T>.Continuation, _ observer: @escaping Observer) {
    let id = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = observer
      state.ends[state.nextID] = { continuation.finish() }
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in
        state.observers[id] = nil
        state.ends[id] = nil
      }
    }
  }

  deinit {
    let ends = state.withLock { Array($0.ends.values) }
    for end in ends { end() }
  }
}
