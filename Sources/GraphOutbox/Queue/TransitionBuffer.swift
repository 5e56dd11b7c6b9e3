import GraphQLRuntime

/// The newest transitions, for any number of readers.
final class TransitionBuffer: Sendable {
  private struct State {
    /// The buffered transitions; those before `first` are not counted.
    var transitions: [Graph.Transition] = []
    var first = 0
    /// The number of dropped transitions.
    var dropped = 0
    var isEnded = false
    var nextReader = 0
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let limit: Int
  private let state = Locked(State())
  private let whenGone: @Sendable () -> Void

  init(limit: Int, whenGone: @escaping @Sendable () -> Void) {
    self.limit = Swift.max(limit, 1)
    self.whenGone = whenGone
  }

  deinit { whenGone() }

  func add(_ transition: Graph.Transition) {
    let readers = state.withLock { state in
      if state.transitions.count - state.first == limit {
        state.first += 1
        state.dropped += 1
      }
      state.transitions.append(transition)
      // Each transition is moved once on average.
      if state.first > limit {
        state.transitions.removeFirst(state.first)
        state.first = 0
      }
      return Array(state.readers.values)
    }
    for reader in readers { reader.yield() }
  }

  func end() {
    let readers = state.withLock { state in
      defer { (state.isEnded, state.readers) = (true, [:]) }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }

  /// Signals new transitions to a reader.
  func register(_ signal: AsyncStream<Void>.Continuation) -> Int {
    let (id, isEnded) = state.withLock { state in
      state.nextReader += 1
      if !state.isEnded { state.readers[state.nextReader] = signal }
      return (state.nextReader, state.isEnded)
    }
    if isEnded { signal.finish() }
    return id
  }

  func remove(_ reader: Int) { state.withLock { $0.readers[reader] = nil } }

  /// The transition with a number, or the oldest buffered one after it; nil while there is none.
  ///
  /// - Parameter number: the number of the reader's next transition; it is updated.
  func next(_ number: inout Int) -> Graph.Transition? {
    state.withLock { state in
      let missed = Swift.max(state.dropped - number, 0)
      let index = state.first + Swift.max(number - state.dropped, 0)
      guard index < state.transitions.count else { return nil }
      var transition = state.transitions[index]
      transition.missed = missed
      number += missed + 1
      return transition
    }
  }
}

/// The position of one reader in the transitions.
final class TransitionReader: Sendable {
  let signals: AsyncStream<Void>
  private let buffer: TransitionBuffer
  private let id: Int
  private let number = Locked(0)

  init(_ buffer: TransitionBuffer) {
    self.buffer = buffer
    let (stream, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signals = stream
    id = buffer.register(signal)
  }

  deinit { buffer.remove(id) }

  func take() -> Graph.Transition? { number.withLock { buffer.next(&$0) } }
}
