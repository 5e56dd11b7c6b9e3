/// How precisely the time of an entity's last response is known, so that updating it does not cost
/// a write each time: recent times are in the entity's state.
enum Freshness {
  /// How far the clock may be set back without an effect, in milliseconds.
  static let correction: Int64 = 60_000

  /// How much earlier the recorded time may be, in milliseconds: an age is never too low, and too
  /// high by at most this.
  static func resolution(_ maximumAge: Duration?) -> Int64 {
    min(60_000, (maximumAge?.wholeMilliseconds ?? .max) / 2)
  }
}
