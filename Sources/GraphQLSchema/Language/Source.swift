#if !ONE_MODULE
  import GraphJSON
#endif

/// A named text: a schema file or a document.
public struct Source: Sendable {
  /// The name of the text in diagnostics, usually a path.
  public let name: String
  /// The bytes followed by zero bytes, so that a scanner may read past the end, and JSON is parsed
  /// without a copy.
  let terminatedBytes: [UInt8]
  /// Offsets at which lines begin; the first one begins after a byte order mark, which editors do not show.
  private let lineStarts: [UInt32]

  /// A source with the bytes of a file. They need not be valid UTF-8; the parser reports invalid
  /// bytes. Bytes with spare capacity and a single owner are not copied.
  public init(name: String, bytes: consuming [UInt8]) {
    self.name = name
    JSONDocument.pad(&bytes)
    terminatedBytes = bytes
    lineStarts = Source.lineStarts(in: terminatedBytes)
  }

  /// A source with a text in memory.
  public init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// The number of bytes.
  public var count: Int { terminatedBytes.count - Self.padding }

  /// The bytes as they were given.
  public var bytes: ArraySlice<UInt8> { terminatedBytes.dropLast(Self.padding) }

  private static var padding: Int { JSONDocument.padding }
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Lines end with LF, CR or CR LF (section 2.1.2).
  // Safe: the array keeps its bytes valid during the call; words end before `end`, where a zero
  // byte is.
  private static func lineStarts(in bytes: [UInt8]) -> [UInt32] {
    var starts: [UInt32] = [bytes.starts(with: byteOrderMark) ? UInt32(byteOrderMark.count) : 0]
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let end = buffer.count - padding
      var index = 0
      while index < end {
        // Eight bytes at a time: lines are long, in introspection results a whole file long.
        while index &+ 8 <= end, unsafe !WordScan.hasLineEnd(WordScan.load(base + index)) {
          index &+= 8
        }
        guard index < end else { break }
        let byte = unsafe base[index]
        index &+= 1
        if byte > 0x0D { continue }
        if unsafe byte == 0x0A || (byte == 0x0D && base[index] != 0x0A) {
          starts.append(UInt32(truncatingIfNeeded: index))
        }
      }
    }
    return starts
  }
}

extension Source {
  /// The 1-based line and column of a byte offset.
  ///
  /// A column counts Unicode scalar values, so that `é` and `🚀` are one column each; a tab is one, and a byte order
  /// mark at the start none.
  public func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
    let offset = max(0, min(offset, count))
    let line = lineIndex(at: offset)
    let start = Int(lineStarts[line])
    return (line + 1, scalarCount(in: start..<max(start, offset)) + 1)
  }

  /// How many Unicode scalars start in a range. Introspection results usually have one line, so a
  /// position may be a megabyte from its start: eight bytes are counted together.
  // Safe: the range is in the text; a word is loaded only if eight of its bytes are left.
  private func scalarCount(in range: Range<Int>) -> Int {
    unsafe terminatedBytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var count = 0
      var index = range.lowerBound
      while index &+ 8 <= range.upperBound {
        unsafe count &+= WordScan.scalarCount(WordScan.load(base + index))
        index &+= 8
      }
      while index < range.upperBound {
        if unsafe base[index] & 0xC0 != 0x80 { count &+= 1 }
        index &+= 1
      }
      return count
    }
  }

  /// The byte range of a 1-based line without its line terminator.
  func lineRange(_ line: Int) -> Range<Int> {
    let start = Int(lineStarts[line - 1])
    var end = line < lineStarts.count ? Int(lineStarts[line]) : count
    while end > start, terminatedBytes[end - 1] == 0x0A || terminatedBytes[end - 1] == 0x0D {
      end -= 1
    }
    return start..<end
  }

  /// The index of the last line that starts at or before the offset.
  private func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

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
    let mark = Self.byteOrderMark
    guard bytes.starts(with: mark) else { return Array(bytes) }
    return Array(repeating: 0x20, count: mark.count) + bytes.dropFirst(mark.count)
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

/// A range of bytes in one of the sources of a document or schema.
///
/// A position is not part of a node's meaning. All ranges compare equal, so that `==` of two nodes
/// compares their content. Compare `source`, `start` and `end` to compare positions.
public struct SourceRange: Sendable, Hashable {
  /// The source, as an index into `ServiceSchema.sources`; 0 for a document parsed alone.
  public var source: UInt32
  /// Offset of the first byte.
  public var start: UInt32
  /// Offset after the last byte.
  public var end: UInt32

  /// Creates a source range.
  public init(source: UInt32, start: UInt32, end: UInt32) {
    self.source = source
    self.start = start
    self.end = end
  }

  /// The range of nodes that were not read from a source: built-in definitions, nodes created in
  /// code.
  public static var none: SourceRange { SourceRange(source: .max, start: 0, end: 0) }

  /// Whether this range points into a source.
  public var isKnown: Bool { source != .max }

  public static func == (lhs: SourceRange, rhs: SourceRange) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
