/// The bytes of JSON's grammar.
///
/// Plain literals: `UInt8(ascii:)` is a call in a debug build, once per byte of the input.
enum Byte {
  static var backspace: UInt8 { 0x08 }
  static var tab: UInt8 { 0x09 }
  static var newline: UInt8 { 0x0A }
  static var formFeed: UInt8 { 0x0C }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var plus: UInt8 { 0x2B }
  static var comma: UInt8 { 0x2C }
  static var minus: UInt8 { 0x2D }
  static var period: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  static var colon: UInt8 { 0x3A }
  static var openBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  static var closeBracket: UInt8 { 0x5D }
  static var b: UInt8 { 0x62 }
  static var e: UInt8 { 0x65 }
  static var f: UInt8 { 0x66 }
  static var n: UInt8 { 0x6E }
  static var r: UInt8 { 0x72 }
  static var t: UInt8 { 0x74 }
  static var u: UInt8 { 0x75 }
  static var openBrace: UInt8 { 0x7B }
  static var closeBrace: UInt8 { 0x7D }

  /// Whether `byte` is an ASCII digit.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  /// The value of a hexadecimal digit, nil for any other byte.
  static func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- zero) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
