import GraphQLRuntime

/// A clock on which sleeping takes no time, and which records the duration of each sleep.
final class RecordingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let state = Locked<(now: Duration, sleeps: [Duration])>((.zero, []))

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .zero }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock {
      $0.sleeps.append(deadline.offset - $0.now)
      $0.now = deadline.offset
    }
  }
}
