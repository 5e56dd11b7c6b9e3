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
  public init(scalar: GraphQL.JSON) throws {
    let text: String
    switch scalar {
    case .string(let string): text = string
    case .number(let number): text = number.text
    default: throw GraphQL.ScalarMismatch(expected: "a decimal number")
    }
    // Foundation reads the longest prefix that it understands, so the form is checked first.
    guard DecimalText.isValid(text),
      let value = DecimalText.short(text)
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

  /// `-12.50e3`: digits with at most one point and one exponent, and digits wherever they belong. No
  /// more digits than a Decimal holds, zeros at either end aside.
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

  /// The value of a valid text that is as short as prices are; Foundation takes ten times as long.
  static func short(_ text: String) -> Decimal? {
    guard text.utf8.count <= 18 else { return nil }
    var significand: UInt64 = 0
    var exponent = 0
    var isFraction = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        significand = significand * 10 + UInt64(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
      default: break
      }
    }
    if significand == 0 { return 0 }
    while exponent < 0, significand.isMultiple(of: 10) {
      significand /= 10
      exponent += 1
    }
    return Decimal(
      sign: text.utf8.first == UInt8(ascii: "-") ? .minus : .plus, exponent: exponent,
      significand: Decimal(significand))
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
