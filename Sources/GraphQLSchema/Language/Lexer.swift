/// Splits source text into tokens (section 2.1).
///
/// Works on bytes with an unsafe pointer, because the generator mostly runs in debug builds, where
/// every checked collection access is a call. A zero byte follows the last byte, so reading one
/// byte ahead is in bounds. The text is valid UTF-8; this is checked first.
// Safe: `Source.parse` keeps the text alive around the lexer; no token continues over its last
// byte, a zero.
@safe struct Lexer {
  let base: UnsafePointer<UInt8>
  /// The number of bytes; `base[end]` is zero.
  let end: Int
  var position = 0

  init(base: UnsafePointer<UInt8>, end: Int) {
    unsafe self.base = base
    self.end = end
  }

  /// The next token. After an error, the position is after the invalid text.
  mutating func next() throws(SyntaxError) -> Token {
    skipIgnored()
    let start = position
    let byte = unsafe base[start]
    if isNameStart(byte) {
      position = start &+ 1
      while unsafe isNameContinue(base[position]) { position &+= 1 }
      return Token(kind: .name, start: start, end: position)
    }
    if byte == 0x22 { return try scanString() }
    if byte == 0x2D || isDigit(byte) { return try scanNumber() }
    if byte == 0, start == end { return Token(kind: .endOfSource, start: start, end: start) }
    if byte == 0x2E { return try scanSpread() }
    guard let kind = punctuator(byte) else { throw unexpectedCharacter() }
    position = start &+ 1
    return Token(kind: kind, start: start, end: position)
  }

  /// Skips byte order marks, white space, line terminators, comments and commas (section 2.1.6).
  private mutating func skipIgnored() {
    var index = position
    while true {
      let byte = unsafe base[index]
      if byte == 0x20 || byte == 0x0A || byte == 0x2C || byte == 0x09 || byte == 0x0D {
        index &+= 1
      } else if byte == 0x23 {
        while index < end, unsafe base[index] != 0x0A, unsafe base[index] != 0x0D { index &+= 1 }
      } else if byte == 0xEF, unsafe base[index &+ 1] == 0xBB, unsafe base[index &+ 2] == 0xBF {
        index &+= 3
      } else {
        break
      }
    }
    position = index
  }

  private mutating func scanSpread() throws(SyntaxError) -> Token {
    let start = position
    if unsafe base[start &+ 1] == 0x2E, unsafe base[start &+ 2] == 0x2E {
      position = start &+ 3
      return Token(kind: .spread, start: start, end: position)
    }
    position = start &+ 1
    while unsafe base[position] == 0x2E { position &+= 1 }
    throw unsafe SyntaxError(
      message: "Unexpected \".\".", start: start, end: position,
      suggestion: isDigit(base[position])
        ? "A number needs a digit before its decimal point." : "Did you mean \"...\"?")
  }

  /// Skips one character that starts no token.
  private mutating func unexpectedCharacter() -> SyntaxError {
    let start = position
    position &+= 1
    while unsafe base[position] & 0xC0 == 0x80 { position &+= 1 }
    let character = text(from: start, to: position)
    let isQuote = ["'", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "`"].contains(character)
    return SyntaxError(
      message: "Unexpected character \(quoted(character)).", start: start, end: position,
      suggestion: isQuote ? "Strings are written in double quotes: \"text\"." : nil)
  }

  private func punctuator(_ byte: UInt8) -> Token.Kind? {
    switch byte {
    case 0x21: .bang
    case 0x24: .dollar
    case 0x26: .ampersand
    case 0x28: .parenLeft
    case 0x29: .parenRight
    case 0x3A: .colon
    case 0x3D: .equals
    case 0x40: .at
    case 0x5B: .bracketLeft
    case 0x5D: .bracketRight
    case 0x7B: .braceLeft
    case 0x7C: .pipe
    case 0x7D: .braceRight
    default: nil
    }
  }

  /// The text of a range of valid UTF-8 whose ends are character boundaries.
  func text(from start: Int, to end: Int) -> String {
    let count = end &- start
    return unsafe String(unsafeUninitializedCapacity: count) { buffer in
      guard let target = buffer.baseAddress else { return 0 }
      unsafe target.initialize(from: base + start, count: count)
      return count
    }
  }
}

func isNameStart(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- 0x61 < 26 || byte == 0x5F
}

package func isNameContinue(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
}

func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

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

/// A lexical token (section 2.1.5): its kind and its bytes.
struct Token {
  enum Kind: UInt8 {
    /// Used if the lexer found no token.
    case invalid
    case endOfSource
    case bang, dollar, ampersand, parenLeft, parenRight, spread, colon, equals, at
    case bracketLeft, bracketRight, braceLeft, pipe, braceRight
    case name, int, float
    /// `plainString` has no escapes.
    case plainString, escapedString, blockString
  }

  var kind: Kind
  var start: Int
  var end: Int

  var isString: Bool {
    kind == .plainString || kind == .escapedString || kind == .blockString
  }
}

extension Token.Kind {
  /// The kind as error messages show it.
  var label: String {
    switch self {
    case .invalid: "an invalid token"
    case .endOfSource: "the end of the document"
    case .bang: "\"!\""
    case .dollar: "\"$\""
    case .ampersand: "\"&\""
    case .parenLeft: "\"(\""
    case .parenRight: "\")\""
    case .spread: "\"...\""
    case .colon: "\":\""
    case .equals: "\"=\""
    case .at: "\"@\""
    case .bracketLeft: "\"[\""
    case .bracketRight: "\"]\""
    case .braceLeft: "\"{\""
    case .pipe: "\"|\""
    case .braceRight: "\"}\""
    case .name: "a name"
    case .int: "an integer"
    case .float: "a number"
    case .plainString, .escapedString, .blockString: "a string"
    }
  }
}

/// A violation of the grammar, before its source is known.
struct SyntaxError: Error {
  var message: String
  var start: Int
  var end: Int
  var suggestion: String?
  /// Start of the bracket that was still open at the end of the source.
  var unclosed: Int?
}
