extension Duration {
  /// The duration in whole milliseconds, towards zero. Durations of more than a hundred million
  /// years are reduced to that, so that they can be added to a time.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let limit = Int64.max / 4000
    return min(max(seconds, -limit), limit) * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
