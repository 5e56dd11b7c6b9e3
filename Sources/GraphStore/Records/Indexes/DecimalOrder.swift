/// Decimal numbers as text whose order, byte by byte, equals that of the numbers.
///
/// A number is a sign (`0` below zero, `1` zero, `2` above), the power of ten of its first digit,
/// and its digits without trailing zeros. Below zero everything after the sign is mirrored, and
/// ends with a `:`, which is greater than any digit: -1.2 is more than -1.23.
enum DecimalOrder {
  private static let exponentOffset = 50_000_000
  private static let exponentWidth = 8

  /// The ordered form of `-12.50e3`; nil for other text.
  static func text(_ number: String) -> String? {
    var rest = number[...].utf8
    let isNegative = take("-", from: &rest)
    if !isNegative { _ = take("+", from: &rest) }
    let whole = digits(from: &rest)
    let fraction = take(".", from: &rest) ? digits(from: &rest) : []
    var exponent = 0
    if take("e", from: &rest) || take("E", from: &rest) {
      let isSmall = take("-", from: &rest)
      if !isSmall { _ = take("+", from: &rest) }
      let power = digits(from: &rest)
      guard !power.isEmpty, power.count < 8, let value = Int(String(decoding: power, as: UTF8.self))
      else { return nil }
      exponent = isSmall ? -value : value
    }
    guard rest.isEmpty, !whole.isEmpty, whole.count < 10_000_000 else { return nil }
    let all = whole + fraction
    let significant = all.drop { $0 == UInt8(ascii: "0") }
    guard !significant.isEmpty else { return "1" }
    exponent += whole.count - (all.count - significant.count)
    var text = [UInt8](String(exponent + exponentOffset).utf8)
    text = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, exponentWidth - text.count)) + text
    text += significant.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    if isNegative {
      text = text.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") } + [UInt8(ascii: ":")]
    }
    return (isNegative ? "0" : "2") + String(decoding: text, as: UTF8.self)
  }

  private static func take(_ scalar: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private static func digits(from rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest.removeFirst(digits.count)
    return Array(digits)
  }
}
