import GraphClient
import GraphQLRuntime

/// Time that passes at once: who sleeps wakes with the clocks advanced. The wall clock can be set.
final class FakeTime: Graph.TimeSource {
  private struct State {
    var moment = Graph.Moment(
      wall: .seconds(1_700_000_000), uptime: .seconds(1000), boot: "boot")
    var sleeps: [Duration] = []
  }

  private let state = Locked(State())

  var now: Graph.Moment { state.withLock { $0.moment } }
  /// How long was slept.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }
  /// Milliseconds since 1970.
  var milliseconds: Int64 { Int64(now.wall / .milliseconds(1)) }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    state.withLock { $0.sleeps.append(duration) }
    pass(duration)
    await Task.yield()
  }

  /// The largest jitter.
  func random() -> Double { 0.999 }

  func pass(_ duration: Duration) {
    state.withLock {
      $0.moment.wall += duration
      $0.moment.uptime += duration
    }
  }

  /// Someone sets the wall clock.
  func set(by jump: Duration) { state.withLock { $0.moment.wall += jump } }

  func reboot() {
    state.withLock {
      $0.moment.uptime = .seconds(30)
      $0.moment.boot += "+"
    }
  }
}
