/// A position in a text that zero bytes follow.
///
/// Its members are transparent, so they are inlined in debug builds as well: those parse schemas
/// when the generator runs as a plugin. They are also inlinable, which the parser of responses in
/// GraphQLRuntime needs: the compiler ignores `@_transparent` of a `package` member elsewhere.
// Safe: only the parser moves a cursor, and never over a zero byte; a word from there fits into the
// padding.
@usableFromInline
@safe package struct TextCursor {
  @usableFromInline package let pointer: UnsafePointer<UInt8>

  @inlinable @_transparent
  package init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = pointer }

  /// The byte at this position.
  @inlinable @_transparent
  package var byte: UInt8 { unsafe pointer.pointee }

  /// The eight bytes from this position on, the first one lowest.
  @inlinable @_transparent
  package var word: UInt64 { unsafe WordScan.load(pointer) }

  /// The position that many bytes ahead.
  @inlinable @_transparent
  package static func + (cursor: TextCursor, count: Int) -> TextCursor {
    unsafe TextCursor(cursor.pointer + count)
  }

  @inlinable @_transparent
  package static func += (cursor: inout TextCursor, count: Int) { cursor = cursor + count }

  /// The bytes between two positions.
  @inlinable @_transparent
  package static func - (cursor: TextCursor, earlier: TextCursor) -> Int {
    unsafe cursor.pointer - earlier.pointer
  }

  @inlinable @_transparent
  package static func == (left: TextCursor, right: TextCursor) -> Bool {
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
  @inlinable @inline(__always)
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
  @inlinable @inline(__always)
  static func escapable(_ word: UInt64) -> UInt64 {
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

  /// Compares `count` bytes by words that overlap at the end; `memcmp` needs a call, which takes
  /// longer than the comparison of a key.
  // Safe: the caller has `count` bytes at both addresses; words end with the last of them.
  @inlinable @inline(__always)
  package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int)
    -> Bool
  {
    if count >= 8 {
      // Outside of the loop, since most keys end in the second word.
      guard unsafe isSame(left, right, 0, UInt64.self) else { return false }
      var offset = 8
      while offset &+ 8 < count {
        guard unsafe isSame(left, right, offset, UInt64.self) else { return false }
        offset &+= 8
      }
      return unsafe isSame(left, right, count &- 8, UInt64.self)
    }
    if count >= 4 {
      return unsafe isSame(left, right, 0, UInt32.self)
        && isSame(left, right, count &- 4, UInt32.self)
    }
    var offset = 0
    while offset < count {
      guard unsafe isSame(left, right, offset, UInt8.self) else { return false }
      offset &+= 1
    }
    return true
  }

  // Safe: `isEqual` passes offsets with a whole word before the end.
  @inlinable @inline(__always)
  static func isSame<Word: FixedWidthInteger & BitwiseCopyable>(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ offset: Int, _ type: Word.Type
  ) -> Bool {
    unsafe left.loadUnaligned(fromByteOffset: offset, as: Word.self)
      == right.loadUnaligned(fromByteOffset: offset, as: Word.self)
  }
}

/// The bytes of JSON's grammar.
///
/// Plain literals: `UInt8(ascii:)` is a call in a debug build, once per byte of the input.
@usableFromInline
package enum Byte {
  @inlinable package static var backspace: UInt8 { @_transparent get { 0x08 } }
  @inlinable package static var tab: UInt8 { @_transparent get { 0x09 } }
  @inlinable package static var newline: UInt8 { @_transparent get { 0x0A } }
  @inlinable package static var formFeed: UInt8 { @_transparent get { 0x0C } }
  @inlinable package static var carriageReturn: UInt8 { @_transparent get { 0x0D } }
  @inlinable package static var space: UInt8 { @_transparent get { 0x20 } }
  @inlinable package static var quote: UInt8 { @_transparent get { 0x22 } }
  @inlinable package static var plus: UInt8 { @_transparent get { 0x2B } }
  @inlinable package static var comma: UInt8 { @_transparent get { 0x2C } }
  @inlinable package static var minus: UInt8 { @_transparent get { 0x2D } }
  @inlinable package static var period: UInt8 { @_transparent get { 0x2E } }
  @inlinable package static var slash: UInt8 { @_transparent get { 0x2F } }
  @inlinable package static var zero: UInt8 { @_transparent get { 0x30 } }
  @inlinable package static var nine: UInt8 { @_transparent get { 0x39 } }
  @inlinable package static var colon: UInt8 { @_transparent get { 0x3A } }
  @inlinable package static var openBracket: UInt8 { @_transparent get { 0x5B } }
  @inlinable package static var backslash: UInt8 { @_transparent get { 0x5C } }
  @inlinable package static var closeBracket: UInt8 { @_transparent get { 0x5D } }
  @inlinable package static var b: UInt8 { @_transparent get { 0x62 } }
  @inlinable package static var e: UInt8 { @_transparent get { 0x65 } }
  @inlinable package static var f: UInt8 { @_transparent get { 0x66 } }
  @inlinable package static var n: UInt8 { @_transparent get { 0x6E } }
  @inlinable package static var r: UInt8 { @_transparent get { 0x72 } }
  @inlinable package static var t: UInt8 { @_transparent get { 0x74 } }
  @inlinable package static var u: UInt8 { @_transparent get { 0x75 } }
  @inlinable package static var openBrace: UInt8 { @_transparent get { 0x7B } }
  @inlinable package static var closeBrace: UInt8 { @_transparent get { 0x7D } }

  /// Whether `byte` is an ASCII digit.
  @inlinable @_transparent
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  /// The value of a hexadecimal digit, nil for any other byte.
  static func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- zero) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
