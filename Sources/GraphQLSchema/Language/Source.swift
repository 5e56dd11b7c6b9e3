import GraphJSON

/// A named text: a schema file or a document.
public struct Source: Sendable {
  /// The name of the text in diagnostics, usually a path.
  public let name: String
  /// The bytes followed by zero bytes, so that a scanner may read past the end, and JSON is parsed
  /// without a copy.
  let terminatedBytes: [UInt8]
  /// Offsets at which lines begin.
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

  /// Lines end with LF, CR or CR LF (section 2.1.2).
  // Safe: the array keeps its bytes valid during the call; words end before `end`, where a zero
  // byte is.
  private static func lineStarts(in bytes: [UInt8]) -> [UInt32] {
    var starts: [UInt32] = [0]
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
  /// A column counts Unicode scalar values, so that `é` and `🚀` are one column each; a tab is one.
  public func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
    let offset = max(0, min(offset, count))
    let line = lineIndex(at: offset)
    let start = Int(lineStarts[line])
    return (line + 1, scalarCount(in: start..<offset) + 1)
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
