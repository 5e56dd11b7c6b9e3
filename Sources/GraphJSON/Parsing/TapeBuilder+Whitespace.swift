extension TapeBuilder {
  /// Moves the cursor over spaces, tabs, line feeds and carriage returns.
  @inline(__always)
  mutating func skipWhitespace() {
    if unsafe cursor.pointee <= Byte.space {
      unsafe cursor = unsafe TapeBuilder.endOfWhitespace(cursor)
    }
  }

  /// Out of line: most places have no whitespace, the others have a line break and an indentation.
  @inline(never)
  private static func endOfWhitespace(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var cursor = unsafe start
    while true {
      switch unsafe cursor.pointee {
      case Byte.space:
        unsafe cursor += 1
        while unsafe WordScan.load(cursor) == 0x2020_2020_2020_2020 { unsafe cursor += 8 }
      case Byte.newline, Byte.carriageReturn, Byte.tab:
        unsafe cursor += 1
      default:
        return unsafe cursor
      }
    }
  }
}
