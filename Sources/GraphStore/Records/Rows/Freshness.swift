/// How old the recorded time of an entity's last response may be before the row is updated. More
/// recent times are only in memory, so that not every response causes a write.
enum Freshness {
  /// How far the clock may be set back without an effect, in milliseconds.
  static let correction: Int64 = 60_000

  /// How much earlier than the last response the recorded time may be, in milliseconds. So an age is
  /// never too low, and too high by at most this.
  static func resolution(_ maximumAge: Duration?) -> Int64 {
    min(60_000, (maximumAge?.wholeMilliseconds ?? .max) / 2)
  }
}
