/// The text as a string in quotes (section 2.10.4).
func quotedString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\u{8}": result += "\\b"
    case "\u{C}": result += "\\f"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}":
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// The lines of a block string for the text, with `"""` escaped; nil if no block string can
/// represent it.
///
/// A block string loses blank lines at both ends and the common indent of its lines, and turns
/// every line terminator into LF; control characters are easier to see as escapes.
func blockStringLines(_ text: String) -> [String]? {
  if text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }) {
    return nil
  }
  let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
  guard let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else {
    return nil
  }
  let isIndented = lines.allSatisfy { isBlank($0) || $0.first == 0x20 || $0.first == 0x09 }
  if isIndented { return nil }
  return lines.map { escapingTripleQuotes(Substring($0)) }
}

private func isBlank(_ line: Substring.UTF8View) -> Bool {
  line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
}

private func escapingTripleQuotes(_ line: Substring) -> String {
  guard line.utf8.contains(0x22) else { return String(line) }
  var result = ""
  var quotes = 0
  for scalar in line.unicodeScalars {
    quotes = scalar == "\"" ? quotes + 1 : 0
    result.unicodeScalars.append(scalar)
    if quotes == 3 {
      result.unicodeScalars.removeLast(3)
      result += "\\\"\"\""
      quotes = 0
    }
  }
  return result
}
