import GraphQLRuntime

extension Graph {
  /// The request of a batch in progress. It ends with the last of its callers.
  final class Batch: Sendable {
    private struct State {
      var left = 0
      var count = Int.max
      var task: Task<Void, Never>?

      var isAbandoned: Bool { left >= count }
    }

    private let state = Locked(State())

    /// Starts sending for that many callers.
    func start(count: Int, _ send: @escaping @Sendable () async -> Void) {
      let task = Task { await send() }
      let isAbandoned = state.withLock { state in
        state.count = count
        state.task = task
        return state.isAbandoned
      }
      if isAbandoned { task.cancel() }
    }

    /// One of the callers has left.
    func leave() {
      let task = state.withLock { state -> Task<Void, Never>? in
        state.left += 1
        return state.isAbandoned ? state.task : nil
      }
      task?.cancel()
    }
  }
}
