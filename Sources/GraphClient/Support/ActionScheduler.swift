// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import GraphQLRuntime

extension Graph {
  /// Runs actions at points in time, for many clients, with one timer.
  ///
  /// A sleeping task for each would cost more than everything else that a transport does for a
  /// request, and a cancelled one is kept until its time has come. Here, removed entries leave
  /// nothing behind.
  final class ActionScheduler: Sendable {
    private struct State {
      var entries: [Int: (time: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
      var lastID = 0
      /// When the timer fires; nil if there are no entries.
      var nextFiring: ContinuousClock.Instant?
    }

    /// The scheduler of calls and of libcurl's uploads; each URLSession transport has its own.
    static let shared = ActionScheduler()

    private let state = Locked(State())
    /// A strict timer: others may be late by a tenth of their time. The state's lock orders changes of
    /// its time.
    private let timer = DispatchSource.makeTimerSource(
      flags: .strict, queue: .global())

    init() {
      timer.setEventHandler { [weak self] in self?.fire() }
      timer.activate()
    }

    deinit { timer.cancel() }

    /// Calls `action` once, at `deadline` or soon after it, unless it has been removed.
    func add(
      _ deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void
    ) -> Int {
      state.withLock { state in
        state.lastID += 1
        state.entries[state.lastID] = (deadline, action)
        if state.nextFiring.map({ deadline < $0 }) ?? true { setTimer(to: deadline, &state) }
        return state.lastID
      }
    }

    func remove(_ id: Int) {
      state.withLock { _ = $0.entries.removeValue(forKey: id) }
    }

    private func setTimer(to nextFiring: ContinuousClock.Instant?, _ state: inout State) {
      state.nextFiring = nextFiring
      guard let nextFiring else { return }
      let delay = min(max((nextFiring - .now).inSeconds, 0), 86_400)
      timer.schedule(deadline: .now() + delay, leeway: .milliseconds(1))
    }

    private func fire() {
      let now = ContinuousClock.now
      let actions = state.withLock { state -> [@Sendable () -> Void] in
        let due = state.entries.filter { $0.value.time <= now }
        for id in due.keys { state.entries[id] = nil }
        setTimer(to: state.entries.values.map(\.time).min(), &state)
        return due.values.map(\.action)
      }
      for action in actions { action() }
    }
  }
}
