import Foundation
import GraphJSON

extension GraphQL {
  /// The `DateTime` scalar: an instant, as of RFC 3339 (`2026-01-31T09:30:00.250Z`).
  public typealias DateTime = Foundation.Date
}

extension Foundation.Date: GraphQL.Scalar {
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything but an RFC 3339 date and time.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a date and time as of RFC 3339"
    guard let date = RFC3339.date(try scalar.text(expected)) else {
      throw GraphQL.ScalarMismatch(expected: expected)
    }
    self = date
  }

  /// In UTC, with milliseconds where there are any.
  public var scalar: GraphQL.JSON { .string(RFC3339.text(self)) }

  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: -48_211_903.625) }
}

/// Dates and times as of RFC 3339, section 5.6; by hand, since Foundation's readers take a thousand
/// times as long.
enum RFC3339 {
  static func date(_ text: String) -> Date? {
    var scanner = DigitScanner(text)
    guard let day = calendarDay(&scanner), scanner.take("T", "t", " "),
      let hour = scanner.number(2), hour < 24, scanner.take(":"),
      let minute = scanner.number(2), minute < 60, scanner.take(":"),
      let second = scanner.number(2), second <= 60,
      let fraction = scanner.fraction(),
      let offset = offset(&scanner), scanner.isAtEnd
    else { return nil }
    let seconds = day * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard milliseconds.magnitude < 1e17 else { return "" }
    let total = Int(milliseconds)
    let second = Int(floor(Double(total) / 1000))
    let remainder = total - second * 1000
    let day = Int(floor(Double(second) / 86_400))
    let time = second - day * 86_400
    let fraction = remainder == 0 ? "" : "." + padded(remainder, 3)
    return "\(GraphQL.LocalDate(day: day))T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):"
      + "\(padded(time % 60, 2))\(fraction)Z"
  }

  /// Days since 1970-01-01.
  static func calendarDay(_ scanner: inout DigitScanner) -> Int? {
    guard let year = scanner.number(4), scanner.take("-"),
      let month = scanner.number(2), scanner.take("-"), let day = scanner.number(2)
    else { return nil }
    return GraphQL.LocalDate(year: year, month: month, day: day)?.daysSince1970
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Seconds east of Greenwich.
  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.take("Z", "z") { return 0 }
    let sign: Int
    if scanner.take("+") { sign = 1 } else if scanner.take("-") { sign = -1 } else { return nil }
    guard let hour = scanner.number(2), hour < 24 else { return nil }
    _ = scanner.take(":")
    guard let minute = scanner.number(2), minute < 60 else { return nil }
    return sign * (hour * 3_600 + minute * 60)
  }
}

/// Reads fixed runs of digits from a text's bytes.
struct DigitScanner {
  private var bytes: Substring.UTF8View

  init(_ text: String) {
    bytes = text[...].utf8
  }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func take(_ choices: Unicode.Scalar...) -> Bool {
    guard let byte = bytes.first, choices.contains(where: { UInt8(ascii: $0) == byte }) else {
      return false
    }
    bytes.removeFirst()
    return true
  }

  mutating func number(_ width: Int) -> Int? {
    guard bytes.count >= width else { return nil }
    var value = 0
    for byte in bytes.prefix(width) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    bytes.removeFirst(width)
    return value
  }

  /// `.250`, or nothing, which is zero; nil for a dot without digits.
  mutating func fraction() -> Double? {
    guard take(".") else { return 0 }
    var value = 0.0
    var scale = 1.0
    var count = 0
    while let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      // Past 15 digits nothing more fits into a Double.
      if count < 15 {
        value = value * 10 + Double(byte - UInt8(ascii: "0"))
        scale *= 10
      }
      count += 1
      bytes.removeFirst()
    }
    return count == 0 ? nil : value / scale
  }
}
