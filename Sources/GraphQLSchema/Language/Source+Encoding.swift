extension Source {
  /// Checks that the bytes are UTF-8 (section 2.1) and few enough for a range.
  // Safe: the array keeps its bytes valid during the call; the last, a zero byte, is not counted.
  func checkEncoding() throws(SyntaxError) {
    guard count < UInt32.max else {
      throw SyntaxError(message: "A source cannot be larger than 4 GB.", start: 0, end: 0)
    }
    if let error = wideEncodingError() { throw error }
    let invalid = unsafe terminatedBytes.withUnsafeBufferPointer { buffer in
      // The buffer is never empty: it ends with zero bytes.
      unsafe Self.firstInvalidByte(UnsafeRawPointer(buffer.baseAddress!), count: count)
    }
    guard let invalid else { return }
    throw SyntaxError(
      message: "The source is not valid UTF-8.", start: invalid, end: invalid + 1)
  }

  /// The error for a source in UTF-16 or UTF-32.
  func wideEncodingError() -> SyntaxError? {
    wideEncoding.map {
      SyntaxError(
        message: "The source is not valid UTF-8.", start: 0, end: 1,
        suggestion: "It seems to be \($0): save it as UTF-8.")
    }
  }

  /// UTF-16 or UTF-32, as shells and editors on Windows write files: with a byte order mark or, since
  /// GraphQL and JSON start with ASCII characters, with zero bytes. nil for any other source.
  package var wideEncoding: String? {
    let start = Array(bytes.prefix(4))
    guard start.count >= 2 else { return nil }
    let (third, fourth) = start.count == 4 ? (start[2], start[3]) : (1, 1)
    switch (start[0], start[1], third, fourth) {
    case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...), (1..., 0, 0, 0): return "UTF-32"
    case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _), (0, 1..., _, _), (1..., 0, _, _): return "UTF-16"
    default: return nil
    }
  }

  /// The bytes for a parser of JSON, which does not accept a byte order mark: it becomes white space,
  /// so that positions remain.
  package var bytesOfJSON: [UInt8] {
    let mark = 3
    guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return Array(bytes) }
    return Array(repeating: 0x20, count: mark) + bytes.dropFirst(mark)
  }

  /// The offset of the first byte that is not part of well-formed UTF-8 (Unicode, table 3-7).
  // Safe: a word is loaded only if eight bytes are left, a byte only below `count`.
  private static func firstInvalidByte(_ base: UnsafeRawPointer, count: Int) -> Int? {
    var index = 0
    while index < count {
      while index &+ 8 <= count,
        unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080
          == 0
      {
        index &+= 8
      }
      guard index < count else { return nil }
      let length = unsafe sequenceLength(base + index, available: count &- index)
      if length == 0 { return index }
      index &+= length
    }
    return nil
  }

  /// The length of the well-formed sequence at a position, 0 if there is none.
  // Safe: an offset is read only if `available` includes it.
  private static func sequenceLength(_ base: UnsafeRawPointer, available: Int) -> Int {
    func byte(_ offset: Int) -> UInt8 { unsafe base.load(fromByteOffset: offset, as: UInt8.self) }
    func continues(_ offset: Int) -> Bool { byte(offset) & 0xC0 == 0x80 }
    let first = byte(0)
    if first < 0x80 { return 1 }
    if first < 0xC2 || first > 0xF4 { return 0 }
    if first < 0xE0 { return available >= 2 && continues(1) ? 2 : 0 }
    guard available >= 3, continues(1), continues(2) else { return 0 }
    let second = byte(1)
    if first < 0xF0 {
      let isOverlong = first == 0xE0 && second < 0xA0
      let isSurrogate = first == 0xED && second > 0x9F
      return isOverlong || isSurrogate ? 0 : 3
    }
    guard available >= 4, continues(3) else { return 0 }
    let isOverlong = first == 0xF0 && second < 0x90
    let isBeyondUnicode = first == 0xF4 && second > 0x8F
    return isOverlong || isBeyondUnicode ? 0 : 4
  }
}
