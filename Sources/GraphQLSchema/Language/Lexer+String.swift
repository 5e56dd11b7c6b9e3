// Safe: a byte is read only after one that is not zero, so never after the zero byte at the end.
extension Lexer {
  /// A string or block string (section 2.10.4). Escapes are resolved when its value is read.
  mutating func scanString() throws(SyntaxError) -> Token {
    let start = position
    if unsafe base[start &+ 1] == 0x22 {
      if unsafe base[start &+ 2] == 0x22 { return try scanBlockString() }
      position = start &+ 2
      return Token(kind: .plainString, start: start, end: position)
    }
    var kind = Token.Kind.plainString
    var index = start &+ 1
    while true {
      let byte = unsafe base[index]
      if byte == 0x22 { break }
      if byte == 0x5C {
        kind = .escapedString
        // The escaped byte cannot end the string; a line terminator still does.
        unsafe index &+= base[index &+ 1] == 0x22 || base[index &+ 1] == 0x5C ? 2 : 1
        continue
      }
      if byte == 0x0A || byte == 0x0D || (byte == 0 && index >= end) {
        position = min(index, end)
        throw SyntaxError(
          message: "This string is not closed.", start: start, end: position,
          suggestion: byte == 0
            ? nil : "Text of several lines is written in \"\"\"block strings\"\"\".")
      }
      index &+= 1
    }
    position = index &+ 1
    return Token(kind: kind, start: start, end: position)
  }

  private mutating func scanBlockString() throws(SyntaxError) -> Token {
    let start = position
    var index = start &+ 3
    while true {
      let byte = unsafe base[index]
      if byte == 0x22, unsafe base[index &+ 1] == 0x22, unsafe base[index &+ 2] == 0x22 {
        if unsafe base[index &- 1] != 0x5C { break }
        index &+= 3
        continue
      }
      if byte == 0, index >= end {
        position = end
        throw SyntaxError(
          message: "This block string is not closed.", start: start, end: start &+ 3)
      }
      index &+= 1
    }
    position = index &+ 3
    return Token(kind: .blockString, start: start, end: position)
  }

  /// The value of a string token.
  func stringValue(_ token: Token) throws(SyntaxError) -> String {
    switch token.kind {
    case .blockString: blockStringValue(token)
    case .escapedString: try unescaped(token)
    default: text(from: token.start &+ 1, to: token.end &- 1)
    }
  }
}
