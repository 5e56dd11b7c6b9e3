import Dispatch
import GraphQLRuntime

extension Graph {
  /// Acts when a point in time has come, for many who wait, with one timer.
  ///
  /// A task that sleeps for each would cost more than all else that a transport does for a request,
  /// and one that is cancelled is kept until its time has come. Here nothing is left of who is done.
  final class Deadlines: Sendable {
    private struct State {
      var entries: [Int: (deadline: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
      var lastID = 0
      /// When the timer fires; nil while nobody waits.
      var alarm: ContinuousClock.Instant?
    }

    /// Those of calls; a transport has deadlines of its own.
    static let shared = Deadlines()

    private let state = Locked(State())

    /// How many wait.
    var count: Int { state.withLock { $0.entries.count } }

    /// Calls `action` once, at `deadline` or soon after it, unless it has been removed.
    func add(
      _ deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void
    ) -> Int {
      let (id, isEarliest) = state.withLock { state in
        state.lastID += 1
        state.entries[state.lastID] = (deadline, action)
        return (state.lastID, Self.setAlarm(deadline, &state))
      }
      if isEarliest { schedule(deadline) }
      return id
    }

    func remove(_ id: Int) {
      state.withLock { _ = $0.entries.removeValue(forKey: id) }
    }

    /// - Returns: false where the timer fires early enough anyway.
    private static func setAlarm(_ alarm: ContinuousClock.Instant, _ state: inout State) -> Bool {
      if let earlier = state.alarm, earlier <= alarm { return false }
      state.alarm = alarm
      return true
    }

    private func schedule(_ alarm: ContinuousClock.Instant) {
      // The timer may fire too early, and is set again then.
      let delay = min((alarm - .now).inSeconds, 86_400)
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
        self?.fire(alarm)
      }
    }

    private func fire(_ alarm: ContinuousClock.Instant) {
      let now = ContinuousClock.now
      let (actions, next) = state.withLock {
        state -> ([@Sendable () -> Void], ContinuousClock.Instant?) in
        // An earlier alarm has been set meanwhile, which has set the next.
        guard state.alarm == alarm else { return ([], nil) }
        let due = state.entries.filter { $0.value.deadline <= now }
        for id in due.keys { state.entries[id] = nil }
        state.alarm = state.entries.values.map(\.deadline).min()
        return (due.values.map(\.action), state.alarm)
      }
      if let next { schedule(next) }
      for action in actions { action() }
    }
  }
}
