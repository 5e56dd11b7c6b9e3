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

extension Parser {
  /// All definitions up to the end of the source; errors are reported and skipped.
  mutating func parseDefinitions(_ diagnostics: inout DiagnosticCollector) -> [Document.Definition]
  {
    var definitions: [Document.Definition] = []
    var start = -1
    do throws(SyntaxError) {
      try advance()
      if token.kind == .endOfSource { throw unexpected(expected: "a definition") }
    } catch {
      diagnostics.add(error, source: source)
      recover(from: start)
    }
    while token.kind != .endOfSource {
      start = token.start
      do throws(SyntaxError) {
        definitions.append(try parseDefinition())
      } catch {
        diagnostics.add(error, source: source)
        recover(from: start)
      }
    }
    return definitions
  }

  /// One definition or extension (section 2.3 Definition).
  private mutating func parseDefinition() throws(SyntaxError) -> Document.Definition {
    let start = token.start
    if token.kind == .braceLeft { return .operation(try parseShorthandQuery()) }
    let description = try parseDescription()
    guard token.kind == .name else {
      throw unexpected(expected: description == nil ? "a definition" : "a definition to describe")
    }
    let keyword = peekName()
    switch keyword {
    case "query": return .operation(try parseOperation(.query, description, start))
    case "mutation": return .operation(try parseOperation(.mutation, description, start))
    case "subscription": return .operation(try parseOperation(.subscription, description, start))
    case "fragment": return .fragment(try parseFragment(description, start))
    case "schema": return .schema(try parseSchemaDefinition(description, start))
    case "directive": return .directive(try parseDirectiveDefinition(description, start))
    case "extend":
      if description != nil { throw describedExtension(start) }
      return try parseExtension(start)
    default:
      if let type = try parseTypeDefinition(keyword, description, start) { return .type(type) }
      throw unexpected(
        expected: "a definition",
        suggestion: didYouMean(keyword, among: Self.definitionKeywords))
    }
  }

  static var definitionKeywords: [String] {
    [
      "query", "mutation", "subscription", "fragment", "schema", "directive", "extend", "scalar",
      "type", "interface", "union", "enum", "input",
    ]
  }

  private func describedExtension(_ start: Int) -> SyntaxError {
    SyntaxError(
      message: "An extension cannot have a description.", start: token.start, end: token.end,
      suggestion: "Describe the definition that it extends, or use a comment.")
  }
}

extension Parser {
  /// After an error, skips to the next definition.
  ///
  /// A definition is recognised by its keyword, followed by a valid token. The keyword is either outside
  /// all brackets or at the very start of a line (if brackets are missing, their count is meaningless).
  mutating func recover(from start: Int) {
    var nesting = openBrackets.count
    openBrackets.removeAll()
    depth = 0
    if previousStart > start, startsLine(previousStart) {
      // A keyword may have been parsed as a member of the broken definition before it.
      rewind(to: previousStart)
    } else if token.start == start, token.kind == .name {
      skipBrokenToken()
    }
    var descriptionStart: Int?
    while token.kind != .endOfSource {
      switch token.kind {
      case .braceLeft, .parenLeft, .bracketLeft: nesting += 1
      case .braceRight, .parenRight, .bracketRight: nesting = max(0, nesting - 1)
      case .name:
        let definitionStart = descriptionStart ?? token.start
        if nesting == 0 || startsLine(definitionStart), startsDefinition() {
          return rewind(to: definitionStart)
        }
      default: break
      }
      // The parser must not return to a description that cannot be read.
      descriptionStart = token.isString && token.start > start ? token.start : nil
      skipBrokenToken()
    }
  }

  private mutating func rewind(to position: Int) {
    lexer.position = position
    skipBrokenToken()
  }

  /// Skips errors of the lexer, which always advances.
  private mutating func skipBrokenToken() {
    while true {
      do throws(SyntaxError) { return try advance() } catch { continue }
    }
  }

  // Safe: the position is that of a token in the text, and not its first byte.
  private func startsLine(_ position: Int) -> Bool {
    unsafe position == 0 || lexer.base[position - 1] == 0x0A || lexer.base[position - 1] == 0x0D
  }

  private func startsDefinition() -> Bool {
    let keyword = peekName()
    var lookahead = lexer
    guard let next = try? lookahead.next().kind else { return false }
    switch keyword {
    case "type", "interface", "union", "enum", "input", "scalar", "fragment", "extend":
      return next == .name
    case "schema": return next == .braceLeft || next == .at
    case "directive": return next == .at
    case "query", "mutation", "subscription":
      return next == .name || next == .braceLeft || next == .parenLeft || next == .at
    default: return false
    }
  }
}
