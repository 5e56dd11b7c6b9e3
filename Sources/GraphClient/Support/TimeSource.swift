extension Graph {
  /// The client's source of time and random numbers, so that tests do not have to wait.
  package protocol TimeSource: Sendable {
    var now: Timestamp { get }
    func sleep(for duration: Duration) async throws
    /// From 0 up to, but not including, 1.
    func random() -> Double
    /// Calls `action` once, when `duration` has passed, unless the action is cancelled before.
    func schedule(after duration: Duration, _ action: @escaping @Sendable () -> Void)
      -> ScheduledAction
  }

  /// An action that runs at a point in time, unless it is cancelled before.
  package struct ScheduledAction: Sendable {
    package let cancel: @Sendable () -> Void

    package init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
  }

  package struct SystemTime: TimeSource {
    package init() {}

    package var now: Timestamp { .now }

    package func sleep(for duration: Duration) async throws {
      try await Task.sleep(for: duration, clock: .continuous)
    }

    package func random() -> Double { Double.random(in: 0..<1) }
  }
}

extension Graph.TimeSource {
  /// Uses the machine's own clock.
  package func schedule(
    after duration: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Graph.ScheduledAction {
    let scheduler = Graph.ActionScheduler.shared
    let id = scheduler.add(.now + duration, action: action)
    return Graph.ScheduledAction { scheduler.remove(id) }
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
