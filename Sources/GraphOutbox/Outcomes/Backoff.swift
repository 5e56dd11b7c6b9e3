/// How long an operation waits before it is sent again: anything from nothing to a bound that
/// doubles with each attempt, so that clients that failed together do not return together.
public struct Backoff: Sendable, Hashable {
  /// The bound after the first attempt.
  public var base: Duration
  /// The largest bound.
  public var maximum: Duration
  /// The longest delay that a server may ask for; one that asks for more is asked again after it.
  public var maximumServerDelay: Duration

  /// Delays up to a second at first and five minutes at last, and a day where a server asks for it,
  /// but for what is stated.
  public init(
    base: Duration = .seconds(1), maximum: Duration = .seconds(300),
    maximumServerDelay: Duration = .seconds(86_400)
  ) {
    self.base = base
    self.maximum = maximum
    self.maximumServerDelay = maximumServerDelay
  }

  /// - Parameters:
  ///   - attempt: how often the operation has been sent, from 1.
  ///   - asked: what the server asks for; the delay is not shorter, up to the bound.
  ///   - random: from 0 up to 1.
  func delay(after attempt: Int, asked: Duration?, random: Double) -> Duration {
    let bound = min(maximum, base * (1 << min(max(attempt - 1, 0), 30)))
    // A server's word is kept, with a share of chance on top.
    return asked.map { min($0, maximumServerDelay) + min(bound, base) * random } ?? bound * random
  }
}
