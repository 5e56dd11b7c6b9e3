/// How long an operation waits before it is retried: a random value between zero and a limit that
/// doubles with each attempt, so that clients that failed together do not return together.
public struct Backoff: Sendable, Hashable {
  /// The limit after the first attempt.
  public var base: Duration
  /// The largest limit.
  public var maximum: Duration
  /// The longest delay that a server may request; if it requests more, it gets another request
  /// after this delay.
  public var maximumServerDelay: Duration

  /// By default, delays of up to a second at first and five minutes at last, and a day if a server
  /// requests it.
  public init(
    base: Duration = .seconds(1), maximum: Duration = .seconds(300),
    maximumServerDelay: Duration = .seconds(86_400)
  ) {
    self.base = base
    self.maximum = maximum
    self.maximumServerDelay = maximumServerDelay
  }

  /// - Parameters:
  ///   - attempt: the number of attempts so far, from 1.
  ///   - asked: the delay that the server requests; the result is not shorter, up to the limit.
  ///   - random: from 0 up to 1.
  func delay(after attempt: Int, asked: Duration?, random: Double) -> Duration {
    let bound = min(maximum, base * (1 << min(max(attempt - 1, 0), 30)))
    // The server's delay is used, with a random addition.
    return asked.map { min($0, maximumServerDelay) + min(bound, base) * random } ?? bound * random
  }
}
