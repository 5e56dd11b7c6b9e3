// Safe: white space ends before the zero byte, and a word fits into the padding from there.
extension TapeBuilder {
  /// Moves the cursor over spaces, tabs, line feeds and carriage returns.
  @inline(__always)
  mutating func skipWhitespace() {
    if byte <= Byte.space { position = unsafe TapeBuilder.endOfWhitespace(base, position) }
  }

  /// Out of line: most places have no whitespace, the others have a line break and an indentation.
  @inline(never)
  private static func endOfWhitespace(_ base: UnsafePointer<UInt8>, _ start: Int) -> Int {
    var position = start
    while true {
      switch unsafe base[position] {
      case Byte.space:
        position &+= 1
        while unsafe WordScan.load(base + position) == 0x2020_2020_2020_2020 { position &+= 8 }
      case Byte.newline, Byte.carriageReturn, Byte.tab:
        position &+= 1
      default:
        return position
      }
    }
  }
}
