// Safe: the position moves over digits, signs and dots, so never over the zero byte at the end.
extension Lexer {
  /// An integer or float (sections 2.10.1, 2.10.2). The text is kept as written.
  mutating func scanNumber() throws(SyntaxError) -> Token {
    let start = position
    if unsafe base[position] == 0x2D { position &+= 1 }
    if unsafe base[position] == 0x30 {
      position &+= 1
      if unsafe isDigit(base[position]) {
        while unsafe isDigit(base[position]) { position &+= 1 }
        throw SyntaxError(
          message: "A number must not start with a zero.", start: start, end: position)
      }
    } else {
      try scanDigits(start)
    }
    var kind = Token.Kind.int
    if unsafe base[position] == 0x2E {
      kind = .float
      position &+= 1
      try scanDigits(start)
    }
    if unsafe base[position] | 0x20 == 0x65 {
      kind = .float
      position &+= 1
      if unsafe base[position] == 0x2B || base[position] == 0x2D { position &+= 1 }
      try scanDigits(start)
    }
    let next = unsafe base[position]
    if next == 0x2E || isNameStart(next) {
      let numberEnd = position
      while unsafe base[position] == 0x2E || isNameContinue(base[position]) { position &+= 1 }
      throw SyntaxError(
        message: "A number must not be followed by \(quoted(text(from: numberEnd, to: position))).",
        start: start, end: position)
    }
    return Token(kind: kind, start: start, end: position)
  }

  private mutating func scanDigits(_ start: Int) throws(SyntaxError) {
    guard unsafe isDigit(base[position]) else {
      throw SyntaxError(
        message: "Expected a digit in the number \(quoted(text(from: start, to: position))).",
        start: start, end: position)
    }
    while unsafe isDigit(base[position]) { position &+= 1 }
  }
}
