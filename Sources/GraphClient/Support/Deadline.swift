extension Graph {
  /// The deadline of a call, or of a part of one.
  struct Deadline: Sendable {
    private let time: any TimeSource
    private let uptime: Duration

    init(after timeout: Duration, time: any TimeSource) {
      self.time = time
      uptime = time.now.uptime + timeout
    }

    /// The remaining time; zero or less after the deadline.
    var remaining: Duration { uptime - time.now.uptime }

    var hasPassed: Bool { remaining <= .zero }

    /// Calls `action` at the deadline, unless the action is cancelled before.
    func schedule(_ action: @escaping @Sendable () -> Void) -> ScheduledAction {
      time.schedule(after: remaining, action)
    }

    /// The time that the transport gets to report its own timeout, whose error is more precise about
    /// what has been sent. Its limit passes at the same time as the call's.
    private static let grace = Duration.milliseconds(20)

    /// Calls `giveUp` at the deadline if nothing is being sent then, and otherwise 20 ms later, so
    /// that the transport can report first.
    func scheduleTimeout(
      isSending: @escaping @Sendable () -> Bool, giveUp: @escaping @Sendable () -> Void
    ) -> [ScheduledAction] {
      let remaining = remaining
      return [
        time.schedule(after: remaining) { if !isSending() { giveUp() } },
        time.schedule(after: remaining + Self.grace, giveUp),
      ]
    }
  }
}
