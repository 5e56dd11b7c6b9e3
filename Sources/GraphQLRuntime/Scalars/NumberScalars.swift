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

    /// The same for a text with eight bytes or more in memory. Most prices fit in one word, in which they are read
    /// without a loop, whose end a processor cannot predict.
    // Safe: the caller has eight bytes, or the text and the padding.
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
      let other = text ^ 0x2E2E_2E2E_2E2E_2E2E
      // The lowest bit is that of the first point.
      let points = (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080
      var digits = text
      var decimals = 0
      if points != 0 {
        let point = points.trailingZeroBitCount / 8
        decimals = count &- point &- 1
        // Every part has at least one digit.
        guard point > 0, decimals > 0 else { return nil }
        let before = (1 as UInt64) &<< UInt64(point &* 8) &- 1
        digits = text & before | text &>> 8 & ~before
      }
      // The digits as the last of eight; zeros are before them.
      let missing = UInt64(64 &- (count &- (points == 0 ? 0 : 1)) &* 8)
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
