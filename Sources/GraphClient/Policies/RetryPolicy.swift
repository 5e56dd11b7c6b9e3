extension Graph {
  /// When a failed operation is retried, and after which delay.
  ///
  /// Failed connections, the statuses 429, 502, 503 and 504, and queries that the server throttled
  /// are retried; a mutation only with an idempotency key. The delay is what the server requests,
  /// or else exponential with full jitter: a random value between zero and a limit that doubles, so
  /// that clients that failed together do not return together.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first.
    public var maximumAttempts: Int
    /// The limit of the first delay.
    public var baseDelay: Duration
    /// The largest limit.
    public var maximumDelay: Duration
    /// The longest delay that a server may request; above it the failure is reported at once.
    public var maximumServerDelay: Duration

    /// The standard policy, except for the given values.
    public init(
      maximumAttempts: Int = 4, baseDelay: Duration = .milliseconds(500),
      maximumDelay: Duration = .seconds(30), maximumServerDelay: Duration = .seconds(120)
    ) {
      self.maximumAttempts = maximumAttempts
      self.baseDelay = baseDelay
      self.maximumDelay = maximumDelay
      self.maximumServerDelay = maximumServerDelay
    }

    /// Four attempts, delays from half a second to half a minute.
    public static let standard = RetryPolicy()
    /// One attempt.
    public static let none = RetryPolicy(maximumAttempts: 1)

    /// The delay after the attempt number `attempt`, from 1.
    ///
    /// - Parameter random: from 0 up to 1.
    func backoff(after attempt: Int, random: Double) -> Duration {
      let doublings = min(max(attempt - 1, 0), 30)
      let bound = min(maximumDelay.inSeconds, baseDelay.inSeconds * Double(1 << doublings))
      return .seconds(bound * random)
    }
  }

  /// How an attempt's outcome affects the next one.
  enum RetryVerdict: Equatable {
    case done
    /// After a delay that the client chooses.
    case backOff
    /// At the time that the server requests.
    case after(Duration)
  }
}
