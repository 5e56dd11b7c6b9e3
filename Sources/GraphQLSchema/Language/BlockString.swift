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
