extension Graph {
  /// When an operation that failed is sent again, and after which delay.
  ///
  /// Connections that did not come about or broke, the statuses 429, 502, 503 and 504, and queries
  /// that the server throttled are tried again; a mutation only with an idempotency key. The delay
  /// is what the server asks for, or else exponential with full jitter: anything between nothing
  /// and a bound that doubles, so that clients that failed together do not return together.
  public struct RetryPolicy: Sendable, Hashable {
    /// How often an operation is sent at most, the first time included.
    public var maximumAttempts: Int
    /// The bound of the first delay.
    public var baseDelay: Duration
    /// The largest bound.
    public var maximumDelay: Duration
    /// The longest delay that a server may ask for; beyond it the failure is reported at once.
    public var maximumServerDelay: Duration

    /// The standard policy, but for what is stated.
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

  /// What an attempt's outcome says about the next one.
  enum RetryVerdict: Equatable {
    case done
    /// After a delay of the client's choice.
    case backOff
    /// When the server says so.
    case after(Duration)
  }
}
