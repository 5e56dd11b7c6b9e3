/// A text without a zero byte that is expected at a cursor, compared in a few instructions.
// Safe: its memory is not written after it is created, and freed by its owner.
@unsafe struct TextPattern {
  private let first: UInt64
  private let firstMask: UInt64
  /// The ninth to the sixteenth byte; the mask is zero if there are none.
  private let second: UInt64
  private let secondMask: UInt64
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ text: [UInt8]) {
    unsafe (first, firstMask) = JSONKey.word(text.prefix(8))
    unsafe (second, secondMask) = JSONKey.word(text.dropFirst(8).prefix(8))
    unsafe bytes = .copying(text)
  }

  func deallocate() { unsafe bytes.deallocate() }

  /// Whether the text is that at the cursor.
  @inline(__always)
  func matches(_ cursor: TextCursor) -> Bool {
    guard unsafe (cursor.word ^ first) & firstMask == 0 else { return false }
    if unsafe secondMask == 0 { return true }
    // The eight bytes before are not zero, so these are in the text or the padding; so it is with the rest.
    guard unsafe ((cursor + 8).word ^ second) & secondMask == 0 else { return false }
    return unsafe bytes.count <= 16 || matchesRest(cursor)
  }

  private func matchesRest(_ cursor: TextCursor) -> Bool {
    var offset = 16
    while unsafe offset < bytes.count {
      guard unsafe (cursor + offset).byte == bytes[offset] else { return false }
      offset &+= 1
    }
    return true
  }
}
