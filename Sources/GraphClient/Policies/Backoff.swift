extension Graph {
  /// How long to wait before a retry: a random delay between zero and a limit that doubles with each
  /// attempt, so that clients that failed together do not return together.
  public struct Backoff: Sendable, Hashable {
    /// The limit after the first attempt.
    public var base: Duration
    /// The largest limit.
    public var maximum: Duration

    /// Delays whose limit doubles from `base` to `maximum`.
    public init(base: Duration, maximum: Duration) {
      self.base = base
      self.maximum = maximum
    }

    /// The delay after a failure for which the server requests no delay.
    ///
    /// - Parameters:
    ///   - attempt: the number of attempts so far, from 1.
    ///   - random: from 0 up to 1.
    public func delay(after attempt: Int, random: Double) -> Duration {
      limit(after: attempt) * random
    }

    /// The delay that the server requests, with a random addition.
    ///
    /// - Parameters:
    ///   - requested: the delay that the server requests; the result is not shorter.
    ///   - random: from 0 up to 1.
    public func delay(requested: Duration, random: Double) -> Duration {
      requested + min(base, maximum) * random
    }

    private func limit(after attempt: Int) -> Duration {
      var limit = min(base, maximum)
      // Compared before it doubles, since a duration traps when it overflows. No limit can double
      // more than 127 times.
      for _ in 0..<min(max(attempt, 1) - 1, 127) {
        guard limit <= maximum / 2 else { return maximum }
        limit *= 2
      }
      return limit
    }
  }
}
