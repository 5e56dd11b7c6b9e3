// Safe: as in ``ResponseParser``.
extension ResponseParser {
  /// Moves over a key that is expected, and what is before it and after it.
  @inline(__always)
  func afterKey(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>, isFirst: Bool
  ) throws(Failure) -> (key: TextCursor, value: TextCursor) {
    guard unsafe step.pointee.start.matches(start) else {
      return try unsafe afterSpacedKey(start, step, isFirst: isFirst)
    }
    let value = unsafe start + step.pointee.start.bytes.count
    return (start + (isFirst ? 1 : 2), Self.space(value))
  }

  /// The same for a text with spaces.
  @inline(never)
  private func afterSpacedKey(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>, isFirst: Bool
  ) throws(Failure) -> (key: TextCursor, value: TextCursor) {
    let text = unsafe step.pointee.start.bytes
    var cursor = Self.space(start)
    // The key is without the comma and the colon.
    let key = (isFirst ? 0 : 1)..<text.count - 1
    if !isFirst {
      guard cursor.byte == Byte.comma else { throw .unusual }
      cursor = Self.space(cursor + 1)
    }
    let quote = cursor
    for position in key {
      guard unsafe cursor.byte == text[position] else { throw .unusual }
      cursor += 1
    }
    cursor = Self.space(cursor)
    guard cursor.byte == Byte.colon else { throw .unusual }
    return (quote + 1, Self.space(cursor + 1))
  }

  /// The layout of the object with the brace at the cursor.
  @inline(__always)
  func layoutBelow(
    _ brace: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> UnsafePointer<RecordLayout> {
    guard let choice = unsafe step.pointee.below else { throw .unusual }
    if let only = unsafe choice.pointee.only { return unsafe only }
    return try unsafe layout(brace, choice)
  }

  /// The layout of an object that begins with its type.
  private func layout(
    _ brace: TextCursor, _ choice: UnsafePointer<RecordChoice>
  ) throws(Failure) -> UnsafePointer<RecordLayout> {
    var cursor = Self.space(brace + 1)
    // `"__typename"`
    guard cursor.word == 0x6E_65_70_79_74_5F_5F_22, (cursor + 8).byte == UInt8(ascii: "a"),
      (cursor + 9).byte == UInt8(ascii: "m"), (cursor + 10).byte == UInt8(ascii: "e"),
      (cursor + 11).byte == Byte.quote
    else { throw .unusual }
    cursor = Self.space(cursor + 12)
    guard cursor.byte == Byte.colon else { throw .unusual }
    cursor = Self.space(cursor + 1)
    guard cursor.byte == Byte.quote, let layout = unsafe choice.pointee.layout(at: cursor + 1)
    else { throw .unusual }
    return unsafe layout
  }
}
