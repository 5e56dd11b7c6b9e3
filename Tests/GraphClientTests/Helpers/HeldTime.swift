import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

/// Time that does not advance until the test wakes up a sleeping task.
final class HeldTime: Graph.TimeSource {
  private struct Sleeper {
    let id: Int
    let duration: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var timestamp = Graph.Timestamp(
      wall: .seconds(1_700_000_000), uptime: .seconds(1000), boot: "boot-1")
    var count = 0
    var sleepers: [Sleeper] = []
    var scheduledActions: [Int: (duration: Duration, action: @Sendable () -> Void)] = [:]
  }

  private let state = Locked(State())
  private let chance: Double

  init(chance: Double = 1) { self.chance = chance }

  var now: Graph.Timestamp { state.withLock { $0.timestamp } }

  func random() -> Double { chance }

  func sleep(for duration: Duration) async throws {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeps = state.withLock { state in
          guard !Task.isCancelled else { return false }
          state.sleepers.append(
            Sleeper(id: id, duration: duration, continuation: continuation))
          return true
        }
        if !sleeps { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  func schedule(
    after duration: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Graph.ScheduledAction {
    let id = state.withLock { state in
      state.count += 1
      state.scheduledActions[state.count] = (duration, action)
      return state.count
    }
    return Graph.ScheduledAction { self.state.withLock { $0.scheduledActions[id] = nil } }
  }

  func advance(by duration: Duration) {
    state.withLock { state in
      state.timestamp.wall += duration
      state.timestamp.uptime += duration
    }
  }

  /// The number of scheduled actions.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }
  var scheduledActionCount: Int { state.withLock { $0.scheduledActions.count } }

  /// Advances to the first action that is scheduled after `duration`, as soon as there is one.
  func runAction(after duration: Duration) async throws {
    var action: (@Sendable () -> Void)?
    try await wait {
      action = state.withLock { state in
        guard
          let first = state.scheduledActions.filter({ $0.value.duration == duration }).keys.min()
        else { return nil }
        state.timestamp.wall += duration
        state.timestamp.uptime += duration
        return state.scheduledActions.removeValue(forKey: first)?.action
      }
      return action != nil
    }
    action?()
  }

  /// Returns when a task sleeps for `duration`.
  func sleeper(for duration: Duration) async throws {
    try await wait {
      state.withLock { state in state.sleepers.contains { $0.duration == duration } }
    }
  }

  /// Wakes up the first task that sleeps for `duration`, as soon as there is one.
  func pass(_ duration: Duration) async throws {
    try await sleeper(for: duration)
    let sleeper = state.withLock { state -> Sleeper? in
      state.timestamp.wall += duration
      state.timestamp.uptime += duration
      return state.sleepers.firstIndex { $0.duration == duration }
        .map { state.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume()
  }
}
