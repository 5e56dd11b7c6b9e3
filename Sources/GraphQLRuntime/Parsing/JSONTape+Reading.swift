import GraphJSON

// Safe: as the rest of ``JSONTape``: the user keeps the document alive, and passes only indexes that come from the
// tape. The words at the indexes of values give the position of their bytes in the text.
extension JSONTape {
  /// Whether the value at `index` has one of the kinds.
  @inlinable @inline(__always)
  package func isKind(at index: Int, of kinds: JSONKinds) -> Bool {
    unsafe kinds.bits &>> (words[index].bits &>> 61) & 1 == 1
  }

  /// Whether the key at `index` is `key`, written without escapes.
  @inlinable @inline(__always)
  package func matches(_ key: JSONKey, at index: Int) -> Bool {
    let word = unsafe words[index]
    // One comparison for the kind, the flags and the length.
    guard word.signature == key.signature else { return false }
    // A key is followed by its closing quote, a colon, a value, a bracket and the padding, so a
    // word can be loaded at each byte of the key.
    let start = unsafe UnsafeRawPointer(text + word.offset)
    guard unsafe (start.loadUnaligned(as: UInt64.self) ^ key.first) & key.firstMask == 0 else {
      return false
    }
    guard let second = key.second else { return true }
    let next = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    guard (next ^ second.word) & second.mask == 0 else { return false }
    guard let rest = unsafe key.rest else { return true }
    return unsafe WordScan.isEqual(start + 16, UnsafeRawPointer(rest), word.length &- 16)
  }

  /// The member `name` of the object at `object`, if keys are known to be unique; nil if there is
  /// none. The same result as ``JSONDocument/member(_:of:)``, in a fraction of the time.
  ///
  /// - Parameter hint: one of the object's keys, or its end, where the search starts.
  @inlinable @inline(__always)
  package func uniqueMember(_ name: StaticString, of object: Int, from hint: Int) -> Int? {
    // Inline, since nearly every search ends here.
    if let value = unsafe member(name, of: object, at: hint) { return value }
    return unsafe firstMember(name, hint, end(of: object)) ?? firstMember(name, object &+ 2, hint)
  }

  /// The member at `key`, one of the keys of the object at `object` or its end, if its key is
  /// `name`, written without escapes.
  @inlinable @inline(__always)
  package func member(_ name: StaticString, of object: Int, at key: Int) -> Int? {
    guard unsafe key < end(of: object), unsafe isPlainString(name, words[key]) else { return nil }
    return key &+ 1
  }

  /// The first member `name` among the keys from `start` up to `end`.
  @inlinable @inline(never)
  func firstMember(_ name: StaticString, _ start: Int, _ end: Int) -> Int? {
    var key = start
    while key < end {
      if unsafe isString(name, at: key) { return key &+ 1 }
      key = unsafe next(after: key &+ 1)
    }
    return nil
  }

  /// Whether the value at `index` is a string without escapes.
  @inlinable @inline(__always)
  package func isPlainString(at index: Int) -> Bool { unsafe words[index].isUnescapedString }

  /// The string at `index`, which has no escapes.
  @inlinable @inline(__always)
  package func plainString(at index: Int) -> String {
    let word = unsafe words[index]
    return unsafe String(validUTF8: contents(of: word), isASCII: !word.hasNonASCII)
  }

  /// Whether the number at `index` is an optional sign and digits, at most `length` in total.
  @inlinable @inline(__always)
  package func isPlainInteger(at index: Int, upTo length: Int) -> Bool {
    let word = unsafe words[index]
    return !word.hasFraction && word.length <= length
  }

  /// Whether the number at `index` has no exponent and is far from the largest `Double`.
  @inlinable @inline(__always)
  package func isPlainDecimal(at index: Int) -> Bool {
    let word = unsafe words[index]
    guard word.length <= 300 else { return false }
    guard word.hasFraction else { return true }
    var position = word.offset
    let end = position &+ word.length
    while position < end {
      if unsafe text[position] | 0x20 == UInt8(ascii: "e") { return false }
      position &+= 1
    }
    return true
  }

  /// The integer at `index` if it has few digits, as most do; nil for anything else.
  @inlinable @inline(__always)
  package func plainInteger(at index: Int) -> Int32? {
    let word = unsafe words[index]
    guard word.kind == .number, unsafe isPlainInteger(at: index, upTo: 9) else { return nil }
    var position = word.offset
    let end = position &+ word.length
    let isNegative = unsafe text[position] == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    var value: Int32 = 0
    while position < end {
      value = unsafe value &* 10 &+ Int32(text[position] &- UInt8(ascii: "0"))
      position &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  /// The number at `index`, correctly rounded, if it has few digits and no exponent, as most do;
  /// nil for anything else.
  @inlinable
  package func plainDouble(at index: Int) -> Double? {
    let word = unsafe words[index]
    guard word.kind == .number, word.length <= 16 else { return nil }
    var position = word.offset
    let end = position &+ word.length
    let isNegative = unsafe text[position] == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    var significand: Int64 = 0
    var scale = 1.0
    var isFraction = false
    while position < end {
      let byte = unsafe text[position]
      position &+= 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      // After parsing, this is a digit, or the `e` or the sign of an exponent.
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      significand = significand &* 10 &+ Int64(digit)
      if isFraction { scale *= 10 }
    }
    // Both are exact, so the division rounds once and correctly (Clinger 1990).
    guard significand <= 1 &<< 53 else { return nil }
    let magnitude = Double(significand) / scale
    return isNegative ? -magnitude : magnitude
  }

  /// Calls `body` with the contents of the string, or with the text of the number, at `index`. Nil
  /// for other values, and for a string with escapes, whose contents do not occur in the text.
  @inlinable @inline(__always)
  package func withPlainText<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T?
  ) -> T? {
    let word = unsafe words[index]
    guard word.kind == .number || word.isUnescapedString else { return nil }
    return unsafe body(contents(of: word))
  }

  /// The same, only for strings.
  @inlinable @inline(__always)
  package func withPlainString<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T?
  ) -> T? {
    let word = unsafe words[index]
    guard word.isUnescapedString else { return nil }
    return unsafe body(contents(of: word))
  }
}

/// Some of the kinds, a bit each.
@usableFromInline
package struct JSONKinds: BitwiseCopyable, Sendable {
  @usableFromInline var bits: UInt64 = 0

  package init() {}

  package mutating func insert(_ kind: JSONKind) { bits |= 1 &<< UInt64(kind.rawValue) }
}

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
}
