import GraphQLRuntime

extension Graph {
  /// Decides when the system may suspend the app again: when the session has delivered its events, and
  /// the responses that ended with them are on disk or delivered.
  final class BackgroundEvents: Sendable {
    private struct State {
      /// The tasks whose response is neither kept nor delivered.
      var open: Set<Int> = []
      /// Those of them that the session has completed.
      var completed: Set<Int> = []
      /// When the session had delivered its events, unless a handler was called for it.
      var end: ContinuousClock.Instant?
    }

    private let state = Locked(State())
    /// Resolved when the session has delivered its events for the first time: those of earlier processes.
    let firstEnd = Promise<Void>()
    /// The system's handlers, which belong to the main actor.
    @MainActor private var handlers: [() -> Void] = []
    /// How long a handler may come after the events. Those of an earlier launch do not count for it.
    private let patience: Duration

    init(patience: Duration = .seconds(30)) { self.patience = patience }

    func open(_ task: Int) { state.withLock { _ = $0.open.insert(task) } }

    func complete(_ task: Int) {
      state.withLock { state in
        if state.open.contains(task) { state.completed.insert(task) }
      }
    }

    /// The response of the task is kept or delivered.
    func close(_ task: Int) {
      state.withLock { state in
        state.open.remove(task)
        state.completed.remove(task)
      }
      callHandlersLater()
    }

    /// The session has delivered its events.
    func end() {
      state.withLock { $0.end = .now }
      firstEnd.resolve(.success(()))
      callHandlersLater()
    }

    /// Calls `handler` when the events have ended, which may have been before this call.
    @MainActor func handle(_ handler: @escaping () -> Void) {
      handlers.append(handler)
      state.withLock { state in
        if let end = state.end, .now - end > patience { state.end = nil }
      }
      callHandlers()
    }

    private func callHandlersLater() {
      guard state.withLock({ $0.end != nil && $0.completed.isEmpty }) else { return }
      Task { @MainActor in callHandlers() }
    }

    @MainActor private func callHandlers() {
      guard !handlers.isEmpty else { return }
      let areDue = state.withLock { state in
        guard state.end != nil, state.completed.isEmpty else { return false }
        state.end = nil
        return true
      }
      guard areDue else { return }
      let due = handlers
      handlers = []
      for handler in due { handler() }
    }
  }
}
