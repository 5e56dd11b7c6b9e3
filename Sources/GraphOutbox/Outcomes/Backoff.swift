/// How long an operation waits before it is sent again: anything from nothing to a bound that
/// doubles with each attempt, so that clients that failed together do not return together.
public struct Backoff: Sendable, Hashable {
  /// The bound after the first attempt.
  public var base: Duration
  /// The largest bound.
  public var maximum: Duration

  /// Delays up to a second at first and five minutes at last, but for what is stated.
  public init(base: Duration = .seconds(1), maximum: Duration = .seconds(300)) {
    self.base = base
    self.maximum = maximum
  }

  /// - Parameters:
  ///   - attempt: how often the operation has been sent, from 1.
  ///   - asked: what the server asks for; the delay is never shorter.
  ///   - random: from 0 up to 1.
  func delay(after attempt: Int, asked: Duration?, random: Double) -> Duration {
    let bound = min(maximum, base * (1 << min(max(attempt - 1, 0), 30)))
    // A server's word is kept, with a share of chance on top.
    return asked.map { $0 + min(bound, base) * random } ?? bound * random
  }
}
