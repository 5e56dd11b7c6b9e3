/// A position in a text that zero bytes follow.
///
/// Its members are transparent, so they are inlined in debug builds as well: those parse schemas
/// when the generator runs as a plugin.
// Safe: only the parser moves a cursor, and never over a zero byte; a word from there fits into the
// padding.
@safe struct TextCursor {
  let pointer: UnsafePointer<UInt8>

  @_transparent
  init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = pointer }

  /// The byte at this position.
  @_transparent
  var byte: UInt8 { unsafe pointer.pointee }

  /// The eight bytes from this position on, the first one lowest.
  @_transparent
  var word: UInt64 { unsafe WordScan.load(pointer) }

  /// The position that many bytes ahead.
  @_transparent
  static func + (cursor: TextCursor, count: Int) -> TextCursor {
    unsafe TextCursor(cursor.pointer + count)
  }

  @_transparent
  static func += (cursor: inout TextCursor, count: Int) { cursor = cursor + count }

  /// The bytes between two positions.
  @_transparent
  static func - (cursor: TextCursor, earlier: TextCursor) -> Int {
    unsafe cursor.pointer - earlier.pointer
  }

  @_transparent
  static func == (left: TextCursor, right: TextCursor) -> Bool {
    unsafe left.pointer == right.pointer
  }
}

/// Examines eight bytes at once. SIMD types would be the natural choice, but comparing
/// `SIMD16<UInt8>` with a scalar compiles to a loop over its bytes.
@usableFromInline
package enum WordScan {
  @inlinable static var ones: UInt64 { @inline(__always) get { 0x0101_0101_0101_0101 } }
  @inlinable static var tops: UInt64 { @inline(__always) get { 0x8080_8080_8080_8080 } }

  /// Loads the eight bytes at `pointer`, the first one lowest.
  // Safe: the caller has eight bytes there, or the padding; see `TapeBuilder`.
  @inlinable @inline(__always)
  package static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
  }

  /// The top bit of each byte that ends a plain run in a string: a quote, a backslash, a control
  /// character or a non-ASCII byte.
  ///
  /// A subtraction may borrow into the byte above a hit, so only the lowest hit is exact, which is
  /// the one that counts.
  @inline(__always)
  static func stringHits(_ word: UInt64) -> UInt64 {
    (escapable(word) | word) & tops
  }

  /// Like ``stringHits(_:)`` without non-ASCII bytes: the bytes that a writer must escape.
  @inline(__always)
  static func escapeHits(_ word: UInt64) -> UInt64 {
    escapable(word) & ~word & tops
  }

  /// Top bits of the quotes, backslashes and control characters, and of most non-ASCII bytes. A
  /// non-ASCII byte keeps its top bit until after the subtractions, so it never borrows.
  @inline(__always)
  private static func escapable(_ word: UInt64) -> UInt64 {
    // With this bit flipped, a quote is the byte after the control characters, which stay below
    // 0x20.
    let quotesAndControls = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
    let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- ones
    return quotesAndControls | backslashes
  }

  /// The top bit of each byte that is `byte`; only the lowest hit is exact.
  @inlinable @inline(__always)
  package static func hits(_ word: UInt64, of byte: UInt8) -> UInt64 {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & tops
  }

  /// Whether one of the bytes is a line feed or a carriage return.
  @inlinable @inline(__always)
  package static func hasLineEnd(_ word: UInt64) -> Bool {
    hits(word, of: 0x0A) | hits(word, of: 0x0D) != 0
  }

  /// Whether all bytes are printable ASCII.
  @inlinable @inline(__always)
  package static func isPrintable(_ word: UInt64) -> Bool {
    // A top bit marks bytes from 0x7F up in the addition, and those below 0x20 in the subtraction.
    (word | (word &+ ones) | (word &- ones &* 0x20)) & tops == 0
  }

  /// The number of bytes that begin a Unicode scalar: all but the continuations `10xxxxxx`.
  @inlinable @inline(__always)
  package static func scalarCount(_ word: UInt64) -> Int {
    8 - (word &>> 7 & ~(word &>> 6) & ones).nonzeroBitCount
  }

  /// The index of the byte of the lowest hit.
  @inlinable @inline(__always)
  package static func firstByte(_ hits: UInt64) -> Int { hits.trailingZeroBitCount &>> 3 }
}

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
