/// The decimal value of a number's text: a sign, an integer and a power of ten.
///
/// It has up to 19 significant digits; trailing zeros are moved into the exponent, so that `1.0`,
/// `10e-1` and `1` are the same value.
// Safe: the creator keeps the text of the number alive; positions stay below its count.
@safe struct NumberText {
  private let text: UnsafeBufferPointer<UInt8>
  private var isNegative = false
  private var significand: UInt64 = 0
  private var exponent: Int64 = 0
  /// Whether there are more significant digits than those in `significand`.
  private var isTruncated = false

  /// Reads `text`, which the parser has accepted as a number.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    unsafe self.text = text
    var index = 0
    if unsafe text[0] == Byte.minus {
      isNegative = true
      index = 1
    }
    var digits = 0
    var zeros: Int64 = 0
    var isFraction = false
    while index < text.count {
      let byte = unsafe text[index]
      if Byte.isDigit(byte) {
        if isFraction { exponent &-= 1 }
        if byte == Byte.zero {
          if digits > 0 { zeros &+= 1 }
        } else {
          // The zeros before this digit are not trailing after all.
          let added = Int(zeros) &+ 1
          digits = min(digits &+ added, 20)
          if digits < 20, !isTruncated {
            for _ in 0..<added { significand &*= 10 }
            significand &+= UInt64(byte &- Byte.zero)
          } else {
            isTruncated = true
          }
          zeros = 0
        }
      } else if byte == Byte.period {
        isFraction = true
      } else {
        break
      }
      index &+= 1
    }
    exponent &+= zeros
    if index < text.count { unsafe exponent &+= NumberText.exponent(text, after: index) }
  }

  /// The exponent after the `e` at `index`, limited to values that the digits of a text cannot
  /// compensate.
  private static func exponent(_ text: UnsafeBufferPointer<UInt8>, after index: Int) -> Int64 {
    var value: Int64 = 0
    var position = index + 1
    while position < text.count {
      let byte = unsafe text[position]
      if Byte.isDigit(byte) { value = min(value * 10 + Int64(byte &- Byte.zero), 1 << 40) }
      position += 1
    }
    return unsafe text[index + 1] == Byte.minus ? -value : value
  }

  /// The value if it is an integer that fits.
  var int64: Int64? {
    if significand == 0 { return 0 }
    // A negative exponent leaves a fraction, since the last digit is not zero; 20 digits do not fit.
    guard !isTruncated, exponent >= 0, exponent < 19 else { return nil }
    var magnitude = significand
    for _ in 0..<exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      magnitude = product
    }
    if isNegative {
      return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The nearest `Double`, nil if that is infinite.
  var double: Double? {
    // Both factors are exact here, so the one operation rounds once and correctly (Clinger 1990).
    if !isTruncated, significand <= 1 << 53, exponent >= -22, exponent <= 22 {
      let magnitude = Double(significand)
      let power = NumberText.powersOfTen[Int(exponent.magnitude)]
      let value = exponent < 0 ? magnitude / power : magnitude * power
      return isNegative ? -value : value
    }
    guard let value = unsafe Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
