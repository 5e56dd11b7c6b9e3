// Safe: as in ``ResponseParser``.
extension ResponseParser {
  /// Parses the object with the brace at the cursor.
  ///
  /// - Returns: the cursor after the object.
  mutating func object(
    _ brace: TextCursor, _ layout: UnsafePointer<RecordLayout>
  ) throws(Failure) -> TextCursor {
    let object = try reserve(2)
    let steps = unsafe layout.pointee.steps
    var cursor = brace + 1
    for position in steps.indices {
      let step = unsafe steps.baseAddress.unsafelyUnwrapped + position
      let (key, start) = try unsafe afterKey(cursor, step, isFirst: position == 0)
      let index = try reserve(1)
      unsafe words[index] = TapeWord(.string, length: step.pointee.keyCount, offset: key - base)
      cursor = try unsafe value(start, step)
    }
    cursor = Self.space(cursor)
    guard cursor.byte == Byte.closeBrace else { throw .unusual }
    return finish(object, .object, count: steps.count, brace, cursor)
  }

  /// Writes the words of an object or array whose contents end at a bracket.
  ///
  /// - Returns: the cursor after it.
  @inline(__always)
  private func finish(
    _ index: Int, _ kind: JSONKind, count: Int, _ start: TextCursor, _ end: TextCursor
  ) -> TextCursor {
    unsafe words[index] = TapeWord(kind, length: count, offset: start - base)
    unsafe words[index &+ 1] = TapeWord(tapeEnd: used, sourceEnd: end + 1 - base)
    return end + 1
  }

  @inline(__always)
  private mutating func value(
    _ cursor: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    if unsafe step.pointee.isList { return try unsafe list(cursor, step) }
    return try unsafe single(cursor, step, isNonNull: step.pointee.isNonNull)
  }

  /// Parses a value that is not a list.
  @inline(__always)
  private mutating func single(
    _ cursor: TextCursor, _ step: UnsafePointer<RecordStep>, isNonNull: Bool
  ) throws(Failure) -> TextCursor {
    if unsafe step.pointee.leaf == .object, cursor.byte == Byte.openBrace {
      return try unsafe object(cursor, layoutBelow(cursor, step))
    }
    return try unsafe leaf(cursor, to: reserve(1), step, isNonNull: isNonNull)
  }

  private mutating func list(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    guard start.byte == Byte.openBracket else {
      let (word, end) = try unsafe rare(start, .object, step.pointee.isNonNull)
      let index = try reserve(1)
      unsafe words[index] = word
      return end
    }
    if unsafe step.pointee.isNested { throw .unusual }
    let list = try reserve(2)
    var cursor = Self.space(start + 1)
    var count = 0
    if cursor.byte != Byte.closeBracket {
      while true {
        cursor = Self.space(
          try unsafe single(cursor, step, isNonNull: step.pointee.isElementNonNull))
        count &+= 1
        guard cursor.byte == Byte.comma else { break }
        cursor = Self.space(cursor + 1)
      }
      guard cursor.byte == Byte.closeBracket else { throw .unusual }
    }
    return finish(list, .array, count: count, start, cursor)
  }
}
