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
    /// A strict timer: others may be a tenth of their time late.
    // Safe: a source may be used from any thread; the state's lock orders the times that it is set to.
    private nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(
      flags: .strict, queue: .global())

    // Safe: the handler is set before anything else knows of the timer.
    init() {
      unsafe timer.setEventHandler { [weak self] in self?.fire() }
      unsafe timer.activate()
    }

    // Safe: nothing else holds the timer.
    deinit { unsafe timer.cancel() }

    /// How many wait.
    var count: Int { state.withLock { $0.entries.count } }

    /// Calls `action` once, at `deadline` or soon after it, unless it has been removed.
    func add(
      _ deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void
    ) -> Int {
      state.withLock { state in
        state.lastID += 1
        state.entries[state.lastID] = (deadline, action)
        if state.alarm.map({ deadline < $0 }) ?? true { setAlarm(deadline, &state) }
        return state.lastID
      }
    }

    func remove(_ id: Int) {
      state.withLock { _ = $0.entries.removeValue(forKey: id) }
    }

    // Safe: the state is locked, which orders the times that the timer is set to.
    private func setAlarm(_ alarm: ContinuousClock.Instant?, _ state: inout State) {
      state.alarm = alarm
      guard let alarm else { return }
      let delay = min(max((alarm - .now).inSeconds, 0), 86_400)
      unsafe timer.schedule(deadline: .now() + delay, leeway: .milliseconds(1))
    }

    private func fire() {
      let now = ContinuousClock.now
      let actions = state.withLock { state -> [@Sendable () -> Void] in
        let due = state.entries.filter { $0.value.deadline <= now }
        for id in due.keys { state.entries[id] = nil }
        setAlarm(state.entries.values.map(\.deadline).min(), &state)
        return due.values.map(\.action)
      }
      for action in actions { action() }
    }
  }
}
