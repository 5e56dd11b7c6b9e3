/// One entry of the tape.
///
/// Scalars and keys take one word, arrays and objects two; their contents follow.
///
/// | bits | null, bool, number, string | array, object |
/// |---|---|---|
/// | 61 to 63 | kind | kind |
/// | 60 | string: has escapes; number: has a fraction or an exponent | |
/// | 59 | string: has non-ASCII characters | |
/// | 30 to 58 | length in bytes, a string's without its quotes | count of elements or members |
/// | 0 to 29 | offset in the source, a string's after its quote | offset of the bracket |
///
/// The second word of an array or object contains the tape index after its contents (high half) and
/// the source offset after its closing bracket (low half).
///
/// No field can overflow: a source has less than 2^29 bytes, so offsets, lengths and counts fit. A
/// tape has no more words than its source has bytes (the densest text, `[[]]`, creates two words
/// from two bytes). So the top bits of a second word are zero and it reads as the kind null: every
/// index inside the tape is safe to use.
@usableFromInline
struct TapeWord: BitwiseCopyable, Sendable {
  @usableFromInline let bits: UInt64

  @inlinable @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  @inlinable @inline(__always)
  init(_ kind: JSONKind, flags: UInt64 = 0, length: Int, offset: Int) {
    bits =
      UInt64(truncatingIfNeeded: kind.rawValue) &<< 61 | flags
      | UInt64(truncatingIfNeeded: length) &<< 30 | UInt64(truncatingIfNeeded: offset)
  }

  /// The second word of an array or object.
  @inlinable @inline(__always)
  init(tapeEnd: Int, sourceEnd: Int) {
    bits = UInt64(truncatingIfNeeded: tapeEnd) &<< 32 | UInt64(truncatingIfNeeded: sourceEnd)
  }

  /// All parts but the offset: for a string of plain ASCII the length, after removing the kind.
  @inlinable var signature: UInt64 {
    @inline(__always) get { bits &>> 30 }
  }

  /// The ``signature`` of a string of plain ASCII with that many bytes.
  @inlinable @inline(__always)
  static func signature(ofString length: Int) -> UInt64 {
    UInt64(JSONKind.string.rawValue) &<< 31 &+ UInt64(truncatingIfNeeded: length)
  }

  /// Whether the value is a string without escapes.
  @inlinable var isUnescapedString: Bool {
    @inline(__always) get { bits &>> 60 == UInt64(JSONKind.string.rawValue) &<< 1 }
  }

  @inlinable static var escapeFlag: UInt64 { 1 &<< 60 }
  @inlinable static var nonASCIIFlag: UInt64 { 1 &<< 59 }
  /// The same bit as ``escapeFlag``, on a number.
  @inlinable static var fractionFlag: UInt64 { 1 &<< 60 }

  // Safe: the bits are those of a kind, or, in a second word, zero.
  @inlinable var kind: JSONKind {
    @inline(__always)
    get { unsafe JSONKind(rawValue: UInt8(truncatingIfNeeded: bits &>> 61)).unsafelyUnwrapped }
  }
  @inlinable var isContainer: Bool {
    @inline(__always) get { bits &>> 61 >= UInt64(JSONKind.array.rawValue) }
  }
  @inlinable var hasEscapes: Bool {
    @inline(__always) get { bits & TapeWord.escapeFlag != 0 }
  }
  @inlinable var hasNonASCII: Bool {
    @inline(__always) get { bits & TapeWord.nonASCIIFlag != 0 }
  }
  @inlinable var hasFraction: Bool {
    @inline(__always) get { bits & TapeWord.fractionFlag != 0 }
  }
  @inlinable var length: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits &>> 30 & 0x1FFF_FFFF) }
  }
  @inlinable var offset: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits & 0x3FFF_FFFF) }
  }
  /// For a second word: the tape index after the contents.
  @inlinable var tapeEnd: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits &>> 32) }
  }
  /// For a second word: the source offset after the closing bracket.
  @inlinable var sourceEnd: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
  }
}

/// The kind of a JSON value (RFC 8259, section 3).
public enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}

/// Some of the kinds, a bit each.
@usableFromInline
package struct JSONKinds: BitwiseCopyable, Sendable {
  @usableFromInline var bits: UInt64 = 0

  package init() {}

  package mutating func insert(_ kind: JSONKind) { bits |= 1 &<< UInt64(kind.rawValue) }
}
