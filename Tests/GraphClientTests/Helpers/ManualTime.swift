import GraphClient
import GraphQLRuntime

/// Time that passes at once: a sleeping task wakes up with the clock advanced, and the test can
/// read the duration of each sleep. GraphCompatibilityTests and Tests/Proofs/Stress use it as well.
final class ManualTime: Graph.TimeSource {
  private struct State {
    var timestamp = Graph.Timestamp(
      wall: .seconds(1_700_000_000), uptime: .seconds(1000), boot: "boot-1")
    var sleeps: [Duration] = []
  }

  private let state = Locked(State())
  private let chance: Double

  /// - Parameter chance: the value of the random source; 1 is the maximum of a jitter.
  init(chance: Double = 1) { self.chance = chance }

  var now: Graph.Timestamp { state.withLock { $0.timestamp } }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    state.withLock {
      $0.sleeps.append(duration)
      $0.timestamp.wall += duration
      $0.timestamp.uptime += duration
    }
    await Task.yield()
  }

  func random() -> Double { chance }

  func advance(by duration: Duration) {
    state.withLock {
      $0.timestamp.wall += duration
      $0.timestamp.uptime += duration
    }
  }

  /// The wall clock is set.
  func jump(by duration: Duration) { state.withLock { $0.timestamp.wall += duration } }

  func reboot(downFor duration: Duration) {
    state.withLock {
      $0.timestamp.wall += duration
      $0.timestamp.uptime = .seconds(30)
      $0.timestamp.boot += "+"
    }
  }
}
