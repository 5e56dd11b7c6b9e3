import GraphQLRuntime

extension Graph {
  /// A query that fills the cache or the store, and that waits while the client has more important requests.
  ///
  /// It continues when this object is released.
  public final class Prefetch: Sendable {
    private enum State {
      case waiting(@Sendable () async -> Void)
      case running(Task<Void, Never>)
      case ended
    }

    /// The prefetch that the current task sends.
    @TaskLocal static var current: Prefetch?

    private let priority: TaskPriority
    private let state: Locked<State>

    /// - Parameter work: nil for a prefetch that has ended.
    init(priority: TaskPriority, work: (@Sendable () async -> Void)?) {
      self.priority = priority
      state = Locked(work.map { .waiting($0) } ?? .ended)
    }

    /// Drops the query if it has not been sent, and cancels its request otherwise. Another call that has sent an equal
    /// query still gets its response.
    public func cancel() {
      let task = state.withLock { state -> Task<Void, Never>? in
        defer { state = .ended }
        return if case .running(let task) = state { task } else { nil }
      }
      task?.cancel()
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Gives the task that sends the query the priority of the current one, if that is higher.
    func raisePriority() {
      guard case .running(let task) = state.withLock({ $0 }) else { return }
      // A task that waits for another one raises its priority.
      Task { await task.value }
    }

    /// - Parameter onEnd: called at the end, also if the prefetch was cancelled before.
    func start(onEnd: @escaping @Sendable () -> Void) {
      let isStarted = state.withLock { state in
        guard case .waiting(let work) = state else { return false }
        state = .running(
          Task(priority: priority) { [self] in
            await Self.$current.withValue(self) { await work() }
            end()
            onEnd()
          })
        return true
      }
      if !isStarted { onEnd() }
    }

    private func end() { state.withLock { $0 = .ended } }
  }
}
