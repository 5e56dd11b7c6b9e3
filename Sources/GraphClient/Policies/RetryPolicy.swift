extension Graph {
  /// When a failed operation is retried, and after which delay.
  ///
  /// An operation is retried after these failures, a mutation only if it has an idempotency key:
  /// - a connection that failed or was lost,
  /// - the statuses 429, 502, 503 and 504,
  /// - the error `THROTTLED` without data.
  ///
  /// A time limit that has passed is not such a failure. The connection of a subscription is opened
  /// again after the same failures; that of a web socket also after a time limit, and once after the
  /// close codes 4401 and 4403. The delay is the one that the server requests, or else that of
  /// ``backoff``.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first.
    public var maximumAttempts: Int
    /// The delays if the server does not request one.
    public var backoff: Backoff
    /// The longest delay that a server may request; above it the failure is reported at once.
    public var maximumServerDelay: Duration

    /// The standard policy, except for the given values.
    public init(
      maximumAttempts: Int = 4,
      backoff: Backoff = Backoff(base: .milliseconds(500), maximum: .seconds(30)),
      maximumServerDelay: Duration = .seconds(120)
    ) {
      self.maximumAttempts = maximumAttempts
      self.backoff = backoff
      self.maximumServerDelay = maximumServerDelay
    }

    /// Four attempts. The random delays are at most half a second after the first attempt, and at most
    /// twice as long after each further one.
    public static let standard = RetryPolicy()
    /// One attempt. In it, libcurl may send a query, or a mutation with an idempotency key, again if the
    /// server has closed the reused connection before its response (RFC 9110, section 9.2.2).
    public static let none = RetryPolicy(maximumAttempts: 1)

    /// The delay before the next attempt; nil if there is none.
    ///
    /// - Parameter attempt: the number of attempts so far, from 1.
    func delay(
      _ decision: RetryDecision, after attempt: Int, time: any TimeSource
    ) -> Duration? {
      switch decision {
      case .done: nil
      case .backOff: backoff.delay(after: attempt, random: time.random())
      case .after(let requested) where requested > maximumServerDelay: nil
      case .after(let requested): backoff.delay(requested: requested, random: time.random())
      }
    }
  }
}
