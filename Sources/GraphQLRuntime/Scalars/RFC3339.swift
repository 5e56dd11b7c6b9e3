import Foundation

/// Dates and times in the form of RFC 3339, section 5.6; written by hand, since Foundation's
/// parsers take a thousand times as long.
// Safe: the scanner reads only the bytes that the caller keeps valid during the call.
package enum RFC3339 {
  /// As Int64, since watches have an Int of 32 bits.
  private static let microsecondsPerDay: Int64 = 86_400 * 1_000_000

  /// Reads `2026-01-31T09:30:00.25+01:00`. It also accepts a space in place of the `T`, small `t`
  /// and `z`, and an offset without its colon; a leap second is the first second of the next day.
  package static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8(unsafe date)
  }

  /// Reads the same from bytes.
  static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    unsafe DigitScanner.scan(bytes) { scanner -> Date? in
      guard let day = calendarDay(&scanner),
        scanner.take(UInt8(ascii: "T"), UInt8(ascii: "t")) || scanner.take(UInt8(ascii: " ")),
        let hour = scanner.number(2), hour < 24, scanner.take(UInt8(ascii: ":")),
        let minute = scanner.number(2), minute < 60, scanner.take(UInt8(ascii: ":")),
        let second = scanner.number(2), second <= 60,
        let fraction = scanner.fraction(),
        let offset = offset(&scanner)
      else { return nil }
      let seconds = Int64(day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
      guard second < 60 || seconds % 86_400 == 0 else { return nil }
      return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }
  }

  /// The text that reads as `date`, to a microsecond; nil outside the years 0 to 9999.
  static func text(_ date: Date) -> String? {
    let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
    guard let total = Int64(exactly: exact) else { return nil }
    let (days, rest) = floored(total, microsecondsPerDay)
    guard let days = Int(exactly: days) else { return nil }
    let day = GraphQL.LocalDate(day: days)
    guard (0...9999).contains(day.year) else { return nil }
    let time = Int(rest / 1_000_000)
    let fraction = Int(rest % 1_000_000)
    let decimals =
      if fraction == 0 {
        ""
      } else if fraction % 1000 == 0 {
        "." + padded(fraction / 1000, 3)
      } else {
        "." + padded(fraction, 6)
      }
    return "\(day)T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
      + "\(decimals)Z"
  }

  /// Reads `2026-01-31`.
  static func localDate(_ bytes: UnsafeBufferPointer<UInt8>) -> GraphQL.LocalDate? {
    unsafe DigitScanner.scan(bytes) { calendarDate(&$0) }
  }

  /// Days since 1970-01-01.
  private static func calendarDay(_ scanner: inout DigitScanner) -> Int? {
    calendarDate(&scanner)?.daysSince1970
  }

  private static func calendarDate(_ scanner: inout DigitScanner) -> GraphQL.LocalDate? {
    guard let year = scanner.number(4), scanner.take(UInt8(ascii: "-")),
      let month = scanner.number(2), scanner.take(UInt8(ascii: "-")),
      let day = scanner.number(2)
    else { return nil }
    return GraphQL.LocalDate(year: year, month: month, day: day)
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> (
    quotient: Int64, remainder: Int64
  ) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Seconds east of Greenwich.
  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.take(UInt8(ascii: "Z"), UInt8(ascii: "z")) { return 0 }
    let isWest = scanner.take(UInt8(ascii: "-"))
    guard isWest || scanner.take(UInt8(ascii: "+")), let hour = scanner.number(2), hour < 24
    else { return nil }
    _ = scanner.take(UInt8(ascii: ":"))
    guard let minute = scanner.number(2), minute < 60 else { return nil }
    return (isWest ? -1 : 1) * (hour * 3_600 + minute * 60)
  }
}
