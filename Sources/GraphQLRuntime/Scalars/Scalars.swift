import Foundation
import GraphJSON

extension GraphQL {
  /// The `Decimal` scalar: a decimal number of up to 38 digits, sent as a string.
  public typealias Decimal = Foundation.Decimal
}

extension Foundation.Decimal: GraphQL.Scalar {
  /// Reads a string or a number, digit by digit and never through a binary float.
  ///
  /// - Throws: ``GraphQL/ScalarMismatch`` for other text, for more than 38 digits, which would be
  ///   rounded, and for numbers beyond Decimal's range.
  // Safe: the string keeps its bytes valid during the call.
  public init(scalar: GraphQL.JSON) throws {
    var text: String
    switch scalar {
    case .string(let string): text = string
    case .number(let number): text = number.text
    default: throw GraphQL.ScalarMismatch(expected: "a decimal number")
    }
    // Foundation reads the longest prefix that it understands, so the form is checked first.
    guard DecimalText.isValid(text),
      let value = unsafe text.withUTF8(DecimalText.ShortDecimal.init(_:))?.value
        ?? Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
    else { throw GraphQL.ScalarMismatch(expected: "a decimal number") }
    self = value
  }

  /// Null for NaN, which cannot be sent.
  public var scalar: GraphQL.JSON { isNaN ? .null : .string(description) }

  public func _write(to writer: inout GraphQL.ValueWriter) {
    if isNaN {
      writer.fail("a Decimal that is not a number cannot be sent")
    } else {
      writer.string(description)
    }
  }

  public static var placeholder: Decimal {
    Decimal(sign: .minus, exponent: -9, significand: 730_911)
  }
}

enum DecimalText {
  private static let maximumDigits = 38

  /// `-12.50e3`: digits with at most one point and one exponent, and at least one digit in each
  /// part. At most as many digits as a Decimal has, not counting zeros at either end.
  static func isValid(_ text: String) -> Bool {
    var rest = text[...].utf8
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      rest.removeFirst()
    }
    guard digits(&rest) > 0 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard digits(&rest) > 0 else { return false }
    }
    if let e = rest.first, e == UInt8(ascii: "e") || e == UInt8(ascii: "E") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
        rest.removeFirst()
      }
      guard digits(&rest) > 0 else { return false }
    }
    return rest.isEmpty && significantDigits(text) <= maximumDigits
  }

  /// A decimal as short as typical prices, without an exponent; Foundation takes ten times as long.
  struct ShortDecimal {
    private let isNegative: Bool
    private let significand: UInt64
    private let exponent: Int

    /// nil for text of another form, which may still be a decimal.
    // Safe: the index stays below the count, and the caller keeps the bytes valid during the call.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
      guard text.count <= 18, let first = unsafe text.first else { return nil }
      isNegative = first == UInt8(ascii: "-")
      let start = isNegative || first == UInt8(ascii: "+") ? 1 : 0
      var significand: UInt64 = 0
      let point = unsafe Self.digits(text, from: start, &significand)
      guard point > start else { return nil }
      guard point < text.count else {
        self.significand = significand
        exponent = 0
        return
      }
      guard unsafe text[point] == UInt8(ascii: ".") else { return nil }
      let end = unsafe Self.digits(text, from: point &+ 1, &significand)
      // Every part has at least one digit.
      guard end == text.count, end > point &+ 1 else { return nil }
      self.significand = significand
      exponent = point &+ 1 &- end
    }

    /// The same for a text from whose start eight bytes can be read. Most prices fit in one word, in which they are read
    /// without a loop, whose end a processor cannot predict.
    // Safe: the caller has eight bytes, or the text.
    @inline(__always)
    init?(padded text: UnsafeBufferPointer<UInt8>) {
      if let start = text.baseAddress, let short = unsafe Self(word: start, count: text.count) {
        self = short
      } else {
        unsafe self.init(text)
      }
    }

    /// A decimal of up to eight bytes without a sign; nil for other text.
    // Safe: the caller has eight bytes.
    @inline(__always)
    private init?(word start: UnsafePointer<UInt8>, count: Int) {
      guard (1...8).contains(count) else { return nil }
      let unused = UInt64(64 &- count &* 8)
      // The first byte is the lowest; bytes after the text become zero.
      let text = unsafe (WordScan.load(start) &<< unused) &>> unused
      let points = WordScan.hits(text, of: 0x2E)
      var digits = text
      var digitCount = count
      var decimals = 0
      if points != 0 {
        let point = WordScan.firstByte(points)
        decimals = count &- point &- 1
        digitCount &-= 1
        // Every part has at least one digit.
        guard point > 0, decimals > 0 else { return nil }
        let before = (1 as UInt64) &<< UInt64(point &* 8) &- 1
        digits = text & before | text &>> 8 & ~before
      }
      // The digits as the last of eight; zeros are before them.
      let missing = UInt64(64 &- digitCount &* 8)
      digits = (digits ^ 0x3030_3030_3030_3030) &<< missing
      guard (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080 == 0 else {
        return nil
      }
      // Two digits, then four, then eight are combined.
      digits = digits &* 10 &+ digits &>> 8
      digits =
        (digits & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        &+ (digits &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
      isNegative = false
      significand = digits &>> 32
      exponent = 0 &- decimals
    }

    /// Appends digits to the significand, and returns the index after them.
    // Safe: the index stays below the count, and the caller keeps the bytes valid during the call.
    @inline(__always)
    private static func digits(
      _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ significand: inout UInt64
    ) -> Int {
      var index = start
      while index < text.count {
        let digit = unsafe text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        significand = significand &* 10 &+ UInt64(digit)
        index &+= 1
      }
      return index
    }

    var value: Decimal {
      if significand == 0 { return 0 }
      var significand = significand
      var exponent = exponent
      while exponent < 0, significand.isMultiple(of: 10) {
        significand /= 10
        exponent += 1
      }
      return Decimal(
        sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(significand))
    }
  }

  private static func significantDigits(_ text: String) -> Int {
    var count = 0
    var zeros = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0"): zeros += 1
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        count += count == 0 ? 1 : zeros + 1
        zeros = 0
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return count
      default: break
      }
    }
    return count
  }

  private static func digits(_ bytes: inout Substring.UTF8View) -> Int {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    bytes.removeFirst(digits.count)
    return digits.count
  }
}

extension GraphQL {
  /// The `BigInt` scalar: an integer of any size, kept as its digits.
  ///
  /// It keeps integers exact. To calculate, convert the value to a type with a sufficient range.
  public struct BigInt: Hashable, Sendable, LosslessStringConvertible, ExpressibleByIntegerLiteral {
    /// The digits, with a `-` if negative, without leading zeros.
    public let description: String

    /// The integer with that text, or nil when it is not one.
    public init?(_ text: String) {
      guard Self.isValid(text.utf8) else { return nil }
      let isNegative = text.utf8.first == UInt8(ascii: "-")
      let digits = isNegative ? text.dropFirst() : text[...]
      let significant = digits.drop { $0 == "0" }
      description = significant.isEmpty ? "0" : (isNegative ? "-" : "") + significant
    }

    /// Whether a text is digits, with or without a `-` before them.
    static func isValid(_ text: some Collection<UInt8>) -> Bool {
      let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
      return !digits.isEmpty
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The integer `value`.
    public init(_ value: some BinaryInteger) {
      description = String(value)
    }

    public init(integerLiteral value: Int64) {
      self.init(value)
    }

    /// The value, if it fits.
    public var int64: Int64? { Int64(description) }
    /// The value, if it fits.
    public var uint64: UInt64? { UInt64(description) }
  }
}

extension GraphQL.BigInt: Comparable {
  public static func < (left: GraphQL.BigInt, right: GraphQL.BigInt) -> Bool {
    switch (left.isNegative, right.isNegative) {
    case (true, false): true
    case (false, true): false
    case (false, false): left.isSmallerInMagnitude(than: right)
    case (true, true): right.isSmallerInMagnitude(than: left)
    }
  }

  private var isNegative: Bool { description.utf8.first == UInt8(ascii: "-") }

  private func isSmallerInMagnitude(than other: GraphQL.BigInt) -> Bool {
    let length = description.utf8.count
    let otherLength = other.description.utf8.count
    return length == otherLength
      ? description.utf8.lexicographicallyPrecedes(other.description.utf8) : length < otherLength
  }
}

extension GraphQL.BigInt: GraphQL.Scalar {
  /// Reads a string or a number without fraction.
  ///
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything else.
  public init(scalar: GraphQL.JSON) throws {
    let value: GraphQL.BigInt? =
      switch scalar {
      case .string(let text): GraphQL.BigInt(text)
      case .number(let number): GraphQL.BigInt(number.text)
      default: nil
      }
    guard let value else { throw GraphQL.ScalarMismatch(expected: "an integer") }
    self = value
  }

  public var scalar: GraphQL.JSON { .string(description) }

  public static var placeholder: GraphQL.BigInt { -73_009_110_466 }
}

extension GraphQL {
  /// The `DateTime` scalar: an instant, as of RFC 3339 (`2026-01-31T09:30:00.250Z`).
  public typealias DateTime = Foundation.Date
}

extension Foundation.Date: GraphQL.Scalar {
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything but an RFC 3339 date and time.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a date and time in the format of RFC 3339"
    guard let date = RFC3339.date(try scalar.text(expected)) else {
      throw GraphQL.ScalarMismatch(expected: expected)
    }
    self = date
  }

  /// In UTC, with milliseconds or microseconds if there are any; null for a date outside the years
  /// 0 to 9999, which has no text and cannot be sent.
  public var scalar: GraphQL.JSON { RFC3339.text(self).map(GraphQL.JSON.string) ?? .null }

  public func _write(to writer: inout GraphQL.ValueWriter) {
    if let text = RFC3339.text(self) {
      writer.string(text)
    } else {
      writer.fail("a date outside the years 0 to 9999 cannot be sent")
    }
  }

  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: -48_211_903.625) }
}

extension GraphQL {
  /// The `Date` scalar: a day of the proleptic Gregorian calendar without a time zone, in the form
  /// of RFC 3339's full-date (`2026-01-31`).
  public struct LocalDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// The day, or nil if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
      guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
        day <= Self.length(of: month, in: year)
      else { return nil }
      self.year = year
      self.month = month
      self.day = day
    }

    public static func < (left: LocalDate, right: LocalDate) -> Bool {
      (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    public var description: String {
      "\(RFC3339.padded(year, 4))-\(RFC3339.padded(month, 2))-\(RFC3339.padded(day, 2))"
    }

    /// Days since 1970-01-01. In the calculation the year starts in March, so that a leap day is
    /// its last.
    var daysSince1970: Int {
      let shifted = month > 2 ? year : year - 1
      let era = (shifted >= 0 ? shifted : shifted - 399) / 400
      let yearOfEra = shifted - era * 400
      let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day that many days after 1970-01-01, in any year.
    init(day daysSince1970: Int) {
      let days = daysSince1970 + 719_468
      let era = (days >= 0 ? days : days - 146_096) / 146_097
      let dayOfEra = days - era * 146_097
      let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let shifted = (5 * dayOfYear + 2) / 153
      day = dayOfYear - (153 * shifted + 2) / 5 + 1
      month = shifted < 10 ? shifted + 3 : shifted - 9
      year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private static func length(of month: Int, in year: Int) -> Int {
      switch month {
      case 4, 6, 9, 11: 30
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      default: 31
      }
    }
  }
}

extension GraphQL.LocalDate: GraphQL.Scalar {
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything but `YYYY-MM-DD`.
  // Safe: the string keeps its bytes valid during the call.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a date in the format YYYY-MM-DD"
    var text = try scalar.text(expected)
    guard let day = unsafe text.withUTF8(RFC3339.localDate) else {
      throw GraphQL.ScalarMismatch(expected: expected)
    }
    self = day
  }

  public var scalar: GraphQL.JSON { .string(description) }

  public static var placeholder: GraphQL.LocalDate { GraphQL.LocalDate(day: -203_111) }
}

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

/// Reads fixed runs of digits from a text's bytes.
// Safe: it exists during `scan`, whose caller keeps the bytes valid; their count bounds each
// position.
@safe struct DigitScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The value that `body` reads from the text; nil if it does not read all of it.
  static func scan<Value>(_ text: String, _ body: (inout DigitScanner) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { unsafe scan($0, body) }
  }

  /// The value that `body` reads from the bytes; nil if it does not read all of them.
  @inline(__always)
  static func scan<Value>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout DigitScanner) -> Value?
  ) -> Value? {
    var scanner = unsafe DigitScanner(bytes: bytes)
    guard let value = body(&scanner), scanner.position == bytes.count else { return nil }
    return value
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = bytes
  }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool { take(byte, byte) }

  /// Skips one of two bytes if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8, _ other: UInt8) -> Bool {
    guard unsafe position < bytes.count, unsafe bytes[position] == byte || bytes[position] == other
    else {
      return false
    }
    position += 1
    return true
  }

  /// A number with that many digits. Inlined, so that a literal width leaves no loop: that halved
  /// the time of reading a date.
  @inline(__always)
  mutating func number(_ width: Int) -> Int? {
    guard unsafe bytes.count - position >= width else { return nil }
    var value = 0
    for offset in 0..<width {
      guard let digit = digit(at: position + offset) else { return nil }
      value = value * 10 + digit
    }
    position += width
    return value
  }

  /// `.250`, or nothing, which is zero; nil for a dot without digits.
  mutating func fraction() -> Double? {
    guard take(UInt8(ascii: ".")) else { return 0 }
    let start = position
    var value: Int64 = 0
    var scale: Int64 = 1
    while unsafe position < bytes.count, let digit = digit(at: position) {
      // After 15 digits, nothing more fits into a Double. Both numbers are exact in one.
      if position - start < 15 {
        value = value &* 10 &+ Int64(digit)
        scale &*= 10
      }
      position += 1
    }
    return position == start ? nil : Double(value) / Double(scale)
  }

  @inline(__always)
  private func digit(at index: Int) -> Int? {
    let byte = unsafe bytes[index]
    guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return Int(byte - UInt8(ascii: "0"))
  }
}
