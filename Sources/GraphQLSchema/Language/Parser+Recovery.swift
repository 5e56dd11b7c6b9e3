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
