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
