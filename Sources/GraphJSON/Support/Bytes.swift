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

/// The decimal value of a number's text: a sign, an integer and a power of ten.
///
/// It has up to 19 significant digits; trailing zeros are moved into the exponent, so that `1.0`,
/// `10e-1` and `1` are the same value.
// Safe: the creator keeps the text of the number alive; positions stay below its count.
@safe struct NumberText {
  private let text: UnsafeBufferPointer<UInt8>
  private var isNegative = false
  private var mantissa: UInt64 = 0
  private var exponent: Int64 = 0
  /// Whether there are more significant digits than those in `mantissa`.
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
            for _ in 0..<added { mantissa &*= 10 }
            mantissa &+= UInt64(byte &- Byte.zero)
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
    if mantissa == 0 { return 0 }
    // A negative exponent leaves a fraction, since the last digit is not zero; 20 digits do not fit.
    guard !isTruncated, exponent >= 0, exponent < 19 else { return nil }
    var magnitude = mantissa
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
    if !isTruncated, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let magnitude = Double(mantissa)
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

/// A key compared by its code units, as RFC 8259, section 8.3 advises. Swift's own `==` would treat
/// two keys that differ in Unicode normalisation as equal, and lose a member.
package struct ExactKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactKey, right: ExactKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension ExactKey: Comparable {
  /// The order of SQLite.
  package static func < (left: ExactKey, right: ExactKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

// Safe: the strings keep their bytes valid during the calls, which read as many as there are.
extension String {
  /// Whether both have the same UTF-8 bytes. Swift's own `==` ignores Unicode's normal forms.
  package func hasSameBytes(as other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { mine in
      unsafe other.utf8.withContiguousStorageIfAvailable { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
        return unsafe WordScan.isEqual(mine, theirs, count)
      }
    }
    if case .some(.some(let isSame)) = isSame { return isSame }
    return utf8.elementsEqual(other.utf8)
  }

  /// Hashes the UTF-8 bytes, with an end that no text contains.
  package func hashBytes(into hasher: inout Hasher) {
    let isDone: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}

/// SHA-256 (FIPS 180-4). Persisted queries and the generator use it to identify documents, and the
/// cache to identify its entries. It is in this module because only this one is part of both the tool
/// and the client.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  /// The digest of `bytes`.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The digest of `text`'s UTF-8 in lower-case hexadecimal digits.
  package static func hexDigest(_ text: String) -> String { digest(text.utf8).hexadecimal }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    compressPending()
  }

  /// Adds `bytes` after their count, so that two fields are never confused with two others.
  package mutating func updateField(_ bytes: some Collection<UInt8>) {
    pending.append(bigEndian: UInt64(bytes.count))
    update(bytes)
  }

  package consuming func finish() -> [UInt8] {
    let bits = (byteCount + UInt64(pending.count)) * 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    pending.append(bigEndian: bits)
    compressPending()
    return state.reduce(into: []) { $0.append(bigEndian: $1) }
  }

  // Safe: each block of 64 bytes ends at or before `whole`, and the array keeps them valid during
  // the call.
  private mutating func compressPending() {
    let whole = pending.count / 64 * 64
    guard whole > 0 else { return }
    var schedule = [UInt32](repeating: 0, count: 64)
    unsafe pending.withUnsafeBufferPointer { bytes in
      for start in stride(from: 0, to: whole, by: 64) {
        unsafe Self.compress(
          UnsafeBufferPointer(rebasing: bytes[start..<start + 64]), &state, &schedule)
      }
    }
    byteCount += UInt64(whole)
    pending.removeFirst(whole)
  }

  // Safe: the caller passes 64 bytes, of which 16 words of four are read.
  private static func compress(
    _ block: UnsafeBufferPointer<UInt8>, _ state: inout [UInt32], _ w: inout [UInt32]
  ) {
    for index in 0..<16 {
      let at = index * 4
      w[index] =
        unsafe UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8
        | UInt32(block[at + 3])
    }
    for index in 16..<64 {
      let early = w[index - 15]
      let late = w[index - 2]
      let sigma0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
      let sigma1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
      w[index] = w[index - 16] &+ sigma0 &+ w[index - 7] &+ sigma1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let first = h &+ sum1 &+ (e & f ^ ~e & g) &+ roundConstants[index] &+ w[index]
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let second = sum0 &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension UInt32 {
  /// With `&>>`, since `>>` calls a generic function in debug builds, such as that of the generator: it takes half of the
  /// time there.
  @inline(__always)
  fileprivate func rotated(_ count: UInt32) -> UInt32 {
    (self &>> count) | (self &<< (32 &- count))
  }
}

extension [UInt8] {
  /// The bytes as lower-case hexadecimal digits.
  package var hexadecimal: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(Self.digit(byte >> 4))
      text.append(Self.digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
