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
