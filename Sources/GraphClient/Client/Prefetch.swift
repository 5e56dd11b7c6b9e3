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

extension Graph {
  /// The prefetches of a client, which start when it has few other requests.
  final class PrefetchQueue: Sendable {
    private struct State {
      /// The oldest first.
      var waiting: [Prefetch] = []
      var running: Set<ObjectIdentifier> = []
      var otherRequests = 0
    }

    private let policy: PrefetchPolicy
    private let state = Locked(State())

    /// The number of requests that are not prefetches.
    var otherRequestCount: Int { state.withLock { $0.otherRequests } }

    init(policy: PrefetchPolicy) { self.policy = policy }

    func add(_ prefetch: Prefetch) {
      let (started, dropped) = state.withLock { state in
        state.waiting.removeAll(where: \.hasEnded)
        state.waiting.append(prefetch)
        return (takeStartable(&state), takeExcess(&state))
      }
      for prefetch in dropped { prefetch.cancel() }
      start(started)
    }

    /// Another request of the client begins.
    func requestBegan() { state.withLock { $0.otherRequests += 1 } }

    /// Another request of the client has ended.
    func requestEnded() {
      start(
        state.withLock { state in
          state.otherRequests -= 1
          return takeStartable(&state)
        })
    }

    /// Another call waits for the response to a prefetch: from now on, it is one of the other requests.
    func promote(_ prefetch: Prefetch) {
      prefetch.raisePriority()
      start(
        state.withLock { state in
          guard state.running.remove(ObjectIdentifier(prefetch)) != nil else { return [] }
          state.otherRequests += 1
          return takeStartable(&state)
        })
    }

    /// Promotes a prefetch; nil for none.
    func promotion(of prefetch: Prefetch?) -> (@Sendable () -> Void)? {
      guard let prefetch else { return nil }
      return { [self] in promote(prefetch) }
    }

    /// Removes the prefetches that may start now from those that wait.
    private func takeStartable(_ state: inout State) -> [Prefetch] {
      guard state.otherRequests <= policy.maximumOtherRequests else { return [] }
      let count = max(0, min(policy.maximumRunning - state.running.count, state.waiting.count))
      defer { state.waiting.removeFirst(count) }
      let started = Array(state.waiting.prefix(count))
      state.running.formUnion(started.map { ObjectIdentifier($0) })
      return started
    }

    /// Removes the oldest of those that wait if there are too many.
    private func takeExcess(_ state: inout State) -> [Prefetch] {
      let count = max(0, state.waiting.count - max(0, policy.maximumWaiting))
      defer { state.waiting.removeFirst(count) }
      return Array(state.waiting.prefix(count))
    }

    private func start(_ prefetches: [Prefetch]) {
      for prefetch in prefetches {
        let id = ObjectIdentifier(prefetch)
        prefetch.start { [self] in
          start(
            state.withLock { state in
              if state.running.remove(id) == nil { state.otherRequests -= 1 }
              return takeStartable(&state)
            })
        }
      }
    }

  }
}
