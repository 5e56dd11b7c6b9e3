/// A position in JSON text for a human reader, both parts counted from 1.
///
/// A line ends with LF, CR or CR LF. A column is a Unicode scalar.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The Unicode scalar in the line, counted from 1.
  public let column: Int

  public var description: String { "\(line):\(column)" }

  static let start = JSONPosition(line: 1, column: 1)

  private init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at `offset` (at most `bytes.count`). Reads every byte before it,
  /// eight at a time if possible, since a tool may report many positions in one long line.
  // Safe: only bytes below `offset` are read, and words that end before it.
  init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var lineStart = 0
    var index = 0
    while index < offset {
      if index + 8 <= offset, unsafe !WordScan.hasLineEnd(WordScan.load(bytes.baseAddress! + index))
      {
        index += 8
        continue
      }
      let byte = unsafe bytes[index]
      index += 1
      let isCRBeforeLF =
        unsafe byte == Byte.carriageReturn && index < offset && bytes[index] == Byte.newline
      if byte == Byte.newline || byte == Byte.carriageReturn, !isCRBeforeLF {
        line += 1
        lineStart = index
      }
    }
    var column = 1
    index = lineStart
    while index < offset {
      if index + 8 <= offset {
        unsafe column += WordScan.scalarCount(WordScan.load(bytes.baseAddress! + index))
        index += 8
      } else {
        if unsafe bytes[index] & 0xC0 != 0x80 { column += 1 }
        index += 1
      }
    }
    self.init(line: line, column: column)
  }
}
