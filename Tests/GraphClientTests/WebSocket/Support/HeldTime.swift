import GraphQLRuntime

@testable import GraphClient

/// Time that stands still until the test lets someone who sleeps wake up.
final class HeldTime: Graph.TimeSource {
  private struct Sleeper {
    let id: Int
    let duration: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var moment = Graph.Moment(
      wall: .seconds(1_700_000_000), uptime: .seconds(1000), boot: "boot-1")
    var count = 0
    var sleepers: [Sleeper] = []
    var alarms: [Int: (duration: Duration, action: @Sendable () -> Void)] = [:]
    var alarmWaiters: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    var waiters: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())
  private let chance: Double

  init(chance: Double = 1) { self.chance = chance }

  var now: Graph.Moment { state.withLock { $0.moment } }

  func random() -> Double { chance }

  func sleep(for duration: Duration) async throws {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          guard !Task.isCancelled else { return nil }
          state.sleepers.append(
            Sleeper(id: id, duration: duration, continuation: continuation))
          let waiters = state.waiters.filter { $0.duration == duration }.map(\.continuation)
          state.waiters.removeAll { $0.duration == duration }
          return waiters
        }
        if waiters == nil { continuation.resume(throwing: CancellationError()) }
        for waiter in waiters ?? [] { waiter.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  func alarm(
    after duration: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Graph.Alarm {
    let (id, waiters) = state.withLock { state in
      state.count += 1
      state.alarms[state.count] = (duration, action)
      let waiters = state.alarmWaiters.filter { $0.duration == duration }.map(\.continuation)
      state.alarmWaiters.removeAll { $0.duration == duration }
      return (state.count, waiters)
    }
    for waiter in waiters { waiter.resume() }
    return Graph.Alarm { self.state.withLock { $0.alarms[id] = nil } }
  }

  func advance(by duration: Duration) {
    state.withLock { state in
      state.moment.wall += duration
      state.moment.uptime += duration
    }
  }

  /// How many alarms are set.
  var alarmCount: Int { state.withLock { $0.alarms.count } }

  /// Lets the time of the first alarm for `duration` come, as soon as there is one.
  func ring(_ duration: Duration) async {
    while true {
      let action = state.withLock { state -> (@Sendable () -> Void)? in
        guard let first = state.alarms.filter({ $0.value.duration == duration }).keys.min()
        else { return nil }
        state.moment.wall += duration
        state.moment.uptime += duration
        return state.alarms.removeValue(forKey: first)?.action
      }
      if let action { return action() }
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.alarms.values.contains(where: { $0.duration == duration }) { return true }
          state.alarmWaiters.append((duration, continuation))
          return false
        }
        if isThere { continuation.resume() }
      }
    }
  }

  /// Returns when someone sleeps for `duration`.
  func sleeper(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.contains(where: { $0.duration == duration }) { return true }
        state.waiters.append((duration, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets the first one who sleeps for `duration` wake up, as soon as there is one.
  func pass(_ duration: Duration) async {
    await sleeper(for: duration)
    let sleeper = state.withLock { state -> Sleeper? in
      state.moment.wall += duration
      state.moment.uptime += duration
      return state.sleepers.firstIndex { $0.duration == duration }
        .map { state.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume()
  }
}
