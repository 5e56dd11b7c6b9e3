import CHiredis

/// Nanoseconds of a clock that never jumps.
enum ValkeyClock {
  static var now: Int64 { chiredis_now() }
}

extension Duration {
  /// Limited to 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return seconds < 0 ? .min / 4 : .max / 4 }
    return max(.min / 4, min(.max / 4, product)) + attoseconds / 1_000_000_000
  }

  /// At least 1, as the server requires for times to live.
  var positiveMilliseconds: Int64 { max(1, (nanoseconds + 999_999) / 1_000_000) }
}
