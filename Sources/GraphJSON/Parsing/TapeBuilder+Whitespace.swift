extension TapeBuilder {
  /// Moves the cursor over spaces, tabs, line feeds and carriage returns.
  @inline(__always)
  mutating func skipWhitespace() {
    if cursor.byte <= Byte.space { cursor = TapeBuilder.endOfWhitespace(cursor) }
  }

  /// Out of line: most positions have no whitespace, the others have a line break and an
  /// indentation.
  @inline(never)
  static func endOfWhitespace(_ start: TextCursor) -> TextCursor {
    var cursor = start
    while true {
      switch cursor.byte {
      case Byte.space:
        cursor += 1
        while cursor.word == 0x2020_2020_2020_2020 { cursor += 8 }
      case Byte.newline, Byte.carriageReturn, Byte.tab:
        cursor += 1
      default:
        return cursor
      }
    }
  }
}
