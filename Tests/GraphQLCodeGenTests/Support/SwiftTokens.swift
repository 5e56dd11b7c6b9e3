/// Splits Swift source into tokens, to detect text that has escaped from its place: comments are
/// dropped, every string literal is the token `""`, an interpolation is `\(`.
///
/// It is deliberately simple, and shares no code with the writer that it checks.
func swiftTokens(_ source: String) -> [String] {
  var tokens: [String] = []
  var rest = Array(source.unicodeScalars)[...]
  while let scalar = rest.first {
    if rest.starts(with: "//".unicodeScalars) {
      // Like the compiler, ends the comment at line feeds and carriage returns.
      rest = rest.drop { $0 != "\n" && $0 != "\r" }
    } else if rest.starts(with: "/*".unicodeScalars) {
      tokens.append("/*")
      rest = rest.dropFirst(2)
    } else if rest.starts(with: "\"\"\"".unicodeScalars) {
      rest = rest.dropFirst(3)
      while !rest.isEmpty, !rest.starts(with: "\"\"\"".unicodeScalars) {
        if rest.starts(with: "\\(".unicodeScalars) { tokens.append("\\(") }
        rest = rest.dropFirst(rest.first == "\\" ? 2 : 1)
      }
      rest = rest.dropFirst(3)
      tokens.append("\"\"")
    } else if scalar == "\"" {
      rest = rest.dropFirst()
      while let inner = rest.first, inner != "\"" {
        if inner == "\n" || inner == "\r" { tokens.append("unterminated") }
        if rest.starts(with: "\\(".unicodeScalars) { tokens.append("\\(") }
        rest = rest.dropFirst(inner == "\\" ? 2 : 1)
      }
      rest = rest.dropFirst()
      tokens.append("\"\"")
    } else if scalar.properties.isWhitespace {
      rest = rest.dropFirst()
    } else if isWord(scalar) {
      tokens.append(String(String.UnicodeScalarView(rest.prefix(while: isWord))))
      rest = rest.drop(while: isWord)
    } else {
      tokens.append(String(scalar))
      rest = rest.dropFirst()
    }
  }
  return tokens
}

private func isWord(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
}
