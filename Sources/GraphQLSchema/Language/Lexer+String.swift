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
