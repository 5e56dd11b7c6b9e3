import Dispatch

/// A time limit with the start of waiting.
struct WaitLimit: Sendable {
  let limit: Duration
  let start: UInt64

  /// - Parameter start: in nanoseconds, see ``now``; by default now.
  init(_ limit: Duration, since start: UInt64 = WaitLimit.now) {
    self.limit = limit
    self.start = start
  }

  /// Nanoseconds of the system's clock, without sleep.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// - Parameter other: counts as the start if it is later.
  func end(since other: UInt64 = 0) -> UInt64 {
    let (seconds, attoseconds) = limit.components
    // A limit of centuries is treated as none.
    let whole = UInt64(min(max(0, seconds), 1 << 32)) * 1_000_000_000
    return max(start, other) + whole + UInt64(max(0, attoseconds) / 1_000_000_000)
  }

  /// The remaining time in milliseconds, as SQLite expects it.
  var milliseconds: Int32 {
    let (end, now) = (end(), Self.now)
    return end > now ? Int32(clamping: (end - now) / 1_000_000) : 0
  }

  /// The limit for messages.
  var text: String { "\(limit)" }
}

extension Duration {
  /// The duration in whole milliseconds, towards zero. Durations of more than a hundred million
  /// years are reduced to that, so that they can be added to a time.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let limit = Int64.max / 4000
    return min(max(seconds, -limit), limit) * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
