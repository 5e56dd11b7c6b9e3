import GraphQLRuntime

/// The steps of all operations, from the call of ``Outbox/transitions(keeping:)`` on.
///
/// It keeps as many steps as it was told to until somebody takes them. When there are more, the oldest go,
/// and the next one that is taken says how many did. The sequence is for one reader: several share the
/// steps. It ends when its task is cancelled or the outbox is closed.
public struct Transitions: AsyncSequence, Sendable {
  public typealias Element = Transition

  let buffer: TransitionBuffer

  public func makeAsyncIterator() -> Iterator {
    Iterator(buffer: buffer, signal: buffer.signals.makeAsyncIterator())
  }

  /// Yields the steps in the order of their commits.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: TransitionBuffer
    var signal: AsyncStream<Void>.Iterator

    public mutating func next() async -> Transition? {
      while true {
        if let transition = buffer.take() { return transition }
        // What came with the end is told as well.
        guard await signal.next() != nil else { return Task.isCancelled ? nil : buffer.take() }
      }
    }
  }
}

/// Steps that nobody has taken yet, up to a number.
final class TransitionBuffer: Sendable {
  private struct State {
    var steps: [Transition] = []
    /// Where the steps begin that have not been taken.
    var first = 0
    var missed = 0
  }

  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let limit: Int
  private let state = Locked(State())
  private let whenGone: @Sendable () -> Void

  init(limit: Int, whenGone: @escaping @Sendable () -> Void) {
    self.limit = Swift.max(limit, 1)
    self.whenGone = whenGone
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit { whenGone() }

  func add(_ transition: Transition) {
    state.withLock { state in
      if state.steps.count - state.first == limit {
        state.first += 1
        state.missed += 1
      }
      state.steps.append(transition)
      // Each step is moved once on average.
      if state.first > limit {
        state.steps.removeFirst(state.first)
        state.first = 0
      }
    }
    signal.yield()
  }

  func end() { signal.finish() }

  func take() -> Transition? {
    state.withLock { state in
      guard state.first < state.steps.count else { return nil }
      var step = state.steps[state.first]
      step.missed = state.missed
      state.first += 1
      state.missed = 0
      if state.first == state.steps.count { (state.steps, state.first) = ([], 0) }
      return step
    }
  }
}
