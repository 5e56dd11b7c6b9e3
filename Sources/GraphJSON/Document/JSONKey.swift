/// A key that is expected in many objects, stored so that it is compared in a few instructions: see
/// ``JSONTape/matches(_:at:)``.
///
/// The creator must call ``deallocate()`` when it is no longer used.
// Safe: its memory has the bytes from the seventeenth on, and is not written after it is created.
@usableFromInline
@safe package struct JSONKey: BitwiseCopyable {
  /// A part of the tape word of such a key.
  @usableFromInline let signature: UInt64
  @usableFromInline let first: UInt64
  @usableFromInline let firstMask: UInt64
  /// The ninth to the sixteenth byte.
  @usableFromInline let second: (word: UInt64, mask: UInt64)?
  /// The bytes from the seventeenth on.
  @usableFromInline let rest: UnsafeMutablePointer<UInt8>?

  /// - Parameter name: ASCII.
  package init(_ name: [UInt8]) {
    signature = TapeWord.signature(ofString: name.count)
    (first, firstMask) = JSONKey.word(name.prefix(8))
    second = name.count > 8 ? JSONKey.word(name[8...].prefix(8)) : nil
    if name.count > 16 {
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count - 16)
      _ = unsafe bytes.initialize(from: name[16...])
      unsafe rest = bytes.baseAddress
    } else {
      unsafe rest = nil
    }
  }

  // Safe: not for a key that is used again, or a copy of it; the creator of the key ensures that.
  @unsafe package func deallocate() { unsafe rest?.deallocate() }

  /// Up to eight bytes in memory order, and a mask of that many.
  static func word(_ bytes: ArraySlice<UInt8>) -> (UInt64, UInt64) {
    var word: UInt64 = 0
    var mask: UInt64 = 0
    for byte in bytes.reversed() {
      word = word &<< 8 | UInt64(byte)
      mask = mask &<< 8 | 0xFF
    }
    return (UInt64(littleEndian: word), UInt64(littleEndian: mask))
  }

  /// Compares `count` bytes by words that overlap at the end; `memcmp` needs a call, which takes
  /// longer than the comparison of a key.
  // Safe: the caller has `count` bytes at both addresses; words end with the last of them.
  @inlinable @inline(__always)
  package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int)
    -> Bool
  {
    if count >= 8 {
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

extension UnsafeBufferPointer<UInt8> {
  // Safe: both have `count` bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return unsafe JSONKey.isEqual(mine, theirs, count)
  }
}
