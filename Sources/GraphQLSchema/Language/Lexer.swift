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

// Safe: all positions are in a token that ends in a quote, and no escape or digit continues past
// it.
extension Lexer {
  /// The text of a string with escapes (section 2.10.4 StringValue).
  func unescaped(_ token: Token) throws(SyntaxError) -> String {
    var result = ""
    var index = token.start &+ 1
    let last = token.end &- 1
    var plainStart = index
    while index < last {
      guard unsafe base[index] == 0x5C else {
        index &+= 1
        continue
      }
      result += text(from: plainStart, to: index)
      index = try unescape(at: index, into: &result)
      plainStart = index
    }
    return result + text(from: plainStart, to: last)
  }

  /// Appends the meaning of the escape at `start` and returns the position after it.
  private func unescape(at start: Int, into result: inout String) throws(SyntaxError) -> Int {
    let scalar: Unicode.Scalar
    switch unsafe base[start &+ 1] {
    case 0x22: scalar = "\""
    case 0x5C: scalar = "\\"
    case 0x2F: scalar = "/"
    case 0x62: scalar = "\u{8}"
    case 0x66: scalar = "\u{C}"
    case 0x6E: scalar = "\n"
    case 0x72: scalar = "\r"
    case 0x74: scalar = "\t"
    case 0x75: return try unescapeUnicode(at: start, into: &result)
    default:
      var end = start &+ 2
      while unsafe base[end] & 0xC0 == 0x80 { end &+= 1 }
      throw SyntaxError(
        message: "Unknown escape \(quoted(text(from: start, to: end))) in a string.",
        start: start, end: end, suggestion: "A backslash is written as \"\\\\\".")
    }
    result.unicodeScalars.append(scalar)
    return start &+ 2
  }

  /// `\u{1F600}`, `\u00E9` or a surrogate pair `\uD83D\uDE00`.
  private func unescapeUnicode(at start: Int, into result: inout String) throws(SyntaxError) -> Int
  {
    var (value, end) = unsafe base[start &+ 2] == 0x7B ? bracedHex(start &+ 3) : fourHex(start &+ 2)
    if let high = value, high & ~0x3FF == 0xD800, unsafe base[start &+ 2] != 0x7B,
      unsafe base[end] == 0x5C, unsafe base[end &+ 1] == 0x75, unsafe base[end &+ 2] != 0x7B
    {
      let (low, pairEnd) = fourHex(end &+ 2)
      if let low, low & ~0x3FF == 0xDC00 {
        value = 0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF)
        end = pairEnd
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw SyntaxError(
        message: "\(quoted(text(from: start, to: end))) is not the escape of a Unicode character.",
        start: start, end: end)
    }
    result.unicodeScalars.append(scalar)
    return end
  }

  private func fourHex(_ start: Int) -> (value: UInt32?, end: Int) {
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = unsafe hexDigit(base[start &+ offset]) else {
        return (nil, start &+ offset)
      }
      value = value << 4 | digit
    }
    return (value, start &+ 4)
  }

  private func bracedHex(_ start: Int) -> (value: UInt32?, end: Int) {
    var value: UInt32 = 0
    var index = start
    while let digit = unsafe hexDigit(base[index]) {
      // Saturates above the last code point; leading zeros are free.
      value = min(value << 4 | digit, 0x11_0000)
      index &+= 1
    }
    guard unsafe base[index] == 0x7D else { return (nil, index) }
    return (index == start ? nil : value, index &+ 1)
  }

  private func hexDigit(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- 0x30) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter &+ 10) : nil
  }
}

// Safe: all positions are in a token, whose end the scan has found, or one byte after it.
extension Lexer {
  /// The text of a block string (section 2.10.4 BlockStringValue): without the common indent of all
  /// lines but the first, and without blank lines at both ends.
  func blockStringValue(_ token: Token) -> String {
    let start = token.start &+ 3
    let end = token.end &- 3
    var lines: [(start: Int, end: Int)] = []
    var lineStart = start
    var index = start
    while index < end {
      let byte = unsafe base[index]
      if byte == 0x0A || byte == 0x0D {
        lines.append((lineStart, index))
        if byte == 0x0D, unsafe base[index &+ 1] == 0x0A { index &+= 1 }
        lineStart = index &+ 1
      }
      index &+= 1
    }
    lines.append((lineStart, end))

    var commonIndent = Int.max
    var firstKept = Int.max
    var lastKept = -1
    for number in 0..<lines.count {
      let indent = indentation(of: lines[number])
      if lines[number].start &+ indent == lines[number].end { continue }
      if firstKept == Int.max { firstKept = number }
      lastKept = number
      if number > 0, indent < commonIndent { commonIndent = indent }
    }

    var result = ""
    var number = firstKept
    while number <= lastKept {
      let line = lines[number]
      if number > firstKept { result += "\n" }
      let indent = number == 0 ? 0 : min(commonIndent, line.end &- line.start)
      appendUnescapingQuotes(from: line.start &+ indent, to: line.end, into: &result)
      number &+= 1
    }
    return result
  }

  private func indentation(of line: (start: Int, end: Int)) -> Int {
    var index = line.start
    while index < line.end, unsafe base[index] == 0x20 || base[index] == 0x09 { index &+= 1 }
    return index &- line.start
  }

  /// Appends the text with `\"""` as `"""`.
  private func appendUnescapingQuotes(from start: Int, to end: Int, into result: inout String) {
    var plainStart = start
    var index = start
    while index < end {
      if unsafe base[index] == 0x5C, index &+ 3 < end, unsafe base[index &+ 1] == 0x22,
        unsafe base[index &+ 2] == 0x22,
        unsafe base[index &+ 3] == 0x22
      {
        result += text(from: plainStart, to: index)
        plainStart = index &+ 1
        index &+= 4
      } else {
        index &+= 1
      }
    }
    result += text(from: plainStart, to: end)
  }
}
