extension JSONDocument {
  /// The bytes of the value, or key, at `index` exactly as they arrived, a string's with its
  /// quotes. The slice keeps the whole text alive.
  public func source(at index: Int) -> ArraySlice<UInt8> { padded[sourceRange(at: index)] }

  /// Calls `body` with the bytes of the value, or key, at `index` exactly as they arrived, a
  /// string's with its quotes. The pointer is valid only during the call.
  // Safe: the range is the value’s in the text, whose bytes are valid during the call.
  public func withSource<T, E: Error>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T
  ) throws(E) -> T {
    let range = sourceRange(at: index)
    return try unsafe padded.withUnsafeBufferPointer { padded throws(E) in
      try unsafe body(UnsafeBufferPointer(rebasing: padded[range]))
    }
  }

  /// The range of the value, or key, at `index` in the text, a string's with its quotes.
  public func sourceRange(at index: Int) -> Range<Int> {
    let word = tape[index]
    switch word.kind {
    case .null, .bool, .number: return word.offset..<word.offset + word.length
    case .string: return word.offset - 1..<word.offset + word.length + 1
    case .array, .object: return word.offset..<tape[index + 1].sourceEnd
    }
  }

  /// The line and column of the value, or key, at `index`. Reads the text up to that position.
  // Safe: the array keeps its bytes valid during the call, and the offset is one of its text.
  public func position(at index: Int) -> JSONPosition {
    unsafe padded.withUnsafeBufferPointer {
      unsafe JSONPosition(offset: sourceRange(at: index).lowerBound, in: $0)
    }
  }
}
