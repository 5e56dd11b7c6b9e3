/// Builds definitions from tokens (section 2.3), one token ahead.
///
/// This file contains the parts that all productions share; each extension adds one part of the
/// grammar. Nesting is limited by `maximumDepth`, so that no input can exhaust the stack.
struct Parser {
  var lexer: Lexer
  /// The current token.
  var token: Token
  /// Where the last consumed token starts.
  var previousStart = 0
  /// Where the last consumed token ends.
  var previousEnd = 0
  /// The starts of the brackets that are open at this point.
  var openBrackets: [Int] = []
  /// How many selection sets, values or types enclose this point.
  var depth = 0
  let maximumDepth: Int
  let source: UInt32

  init(lexer: Lexer, source: UInt32, maximumDepth: Int) {
    self.lexer = lexer
    self.source = source
    self.maximumDepth = maximumDepth
    token = Token(kind: .invalid, start: 0, end: 0)
  }

  mutating func advance() throws(SyntaxError) {
    previousStart = token.start
    previousEnd = token.end
    do throws(SyntaxError) {
      token = try lexer.next()
    } catch {
      token = Token(kind: .invalid, start: error.start, end: error.end)
      throw error
    }
  }

  /// Consumes a token of that kind if it comes next.
  mutating func skip(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind) throws(SyntaxError) {
    guard token.kind == kind else { throw unexpected(expected: kind.label) }
    try advance()
  }

  /// Consumes an opening bracket.
  mutating func open(_ kind: Token.Kind) throws(SyntaxError) {
    guard token.kind == kind else { throw unexpected(expected: kind.label) }
    openBrackets.append(token.start)
    try advance()
  }

  /// Consumes the closing bracket if it comes next.
  mutating func close(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    openBrackets.removeLast()
    try advance()
    return true
  }

  /// The name that comes next.
  mutating func parseName(_ what: String = "a name") throws(SyntaxError) -> (
    name: String, range: SourceRange
  ) {
    guard token.kind == .name else { throw unexpected(expected: what) }
    let name = lexer.text(from: token.start, to: token.end)
    let range = range(from: token.start, to: token.end)
    try advance()
    return (name, range)
  }

  /// The name that comes next without consuming it; empty if none comes next.
  func peekName() -> String {
    token.kind == .name ? lexer.text(from: token.start, to: token.end) : ""
  }

  mutating func skipKeyword(_ keyword: String) throws(SyntaxError) -> Bool {
    guard token.kind == .name, peekName() == keyword else { return false }
    try advance()
    return true
  }

  /// The description, if a string comes next (section 2.2 Description).
  mutating func parseDescription() throws(SyntaxError) -> String? {
    guard token.isString else { return nil }
    let text = try lexer.stringValue(token)
    try advance()
    return text
  }

  func range(from start: Int, to end: Int) -> SourceRange {
    SourceRange(
      source: source, start: UInt32(truncatingIfNeeded: start),
      end: UInt32(truncatingIfNeeded: end))
  }

  /// The range from a position to the end of the last consumed token.
  func range(from start: Int) -> SourceRange { range(from: start, to: previousEnd) }

  mutating func enter() throws(SyntaxError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw SyntaxError(
        message: "This is nested more than \(maximumDepth) levels deep.", start: token.start,
        end: token.end)
    }
  }

  mutating func leave() { depth -= 1 }

  func unexpected(expected: String, suggestion: String? = nil) -> SyntaxError {
    let found = token.kind == .endOfSource ? token.kind.label : quoted(tokenText)
    return SyntaxError(
      message: "Expected \(expected), found \(found).", start: token.start, end: token.end,
      suggestion: suggestion, unclosed: token.kind == .endOfSource ? openBrackets.last : nil)
  }

  private var tokenText: String { lexer.text(from: token.start, to: token.end) }
}
