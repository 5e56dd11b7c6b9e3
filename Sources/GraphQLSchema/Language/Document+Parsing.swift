extension Document {
  /// The maximum nesting of selection sets, values and types.
  public static let defaultMaximumDepth = 200

  /// Parses a whole document (section 2.3).
  ///
  /// - Throws: all syntax errors; after one, the parser continues at the next definition.
  public init(
    parsing source: Source, maximumDepth: Int = Document.defaultMaximumDepth
  ) throws(Diagnostics) {
    var diagnostics = DiagnosticCollector(sources: [source])
    self.init(source, index: 0, maximumDepth: maximumDepth, &diagnostics)
    if diagnostics.hasErrors { throw diagnostics.finish() }
  }

  /// Parses one of several sources; errors are reported and left out.
  init(
    _ source: Source, index: UInt32, maximumDepth: Int = Document.defaultMaximumDepth,
    _ diagnostics: inout DiagnosticCollector
  ) {
    let definitions: [Definition]?
    do throws(SyntaxError) {
      definitions = try source.withParser(index: index, maximumDepth: maximumDepth) {
        $0.parseDefinitions(&diagnostics)
      }
    } catch {
      diagnostics.add(error, source: index)
      definitions = nil
    }
    self.init(definitions: definitions ?? [], source: source)
  }
}

extension Document.Value {
  /// Parses a constant value, such as the default values in introspection results (section 4.2.4).
  public init(
    parsing source: Source, maximumDepth: Int = Document.defaultMaximumDepth
  ) throws(Diagnostics) {
    self = try source.parseWhole(maximumDepth) { parser throws(SyntaxError) in
      try parser.parseValue(isConst: true)
    }
  }
}

extension TypeReference {
  /// Parses a type reference such as `[ID!]!` (section 2.12).
  public init(
    parsing source: Source, maximumDepth: Int = Document.defaultMaximumDepth
  ) throws(Diagnostics) {
    self = try source.parseWhole(maximumDepth) { parser throws(SyntaxError) in
      try parser.parseType().type
    }
  }
}

// Safe: the parser exists only in the closure that has the bytes; the array ends in the zero byte.
extension Source {
  /// Runs a parser over the bytes after checking that they are UTF-8.
  fileprivate func withParser<Result>(
    index: UInt32, maximumDepth: Int, _ body: (inout Parser) throws(SyntaxError) -> Result
  ) throws(SyntaxError) -> Result {
    try checkEncoding()
    return try unsafe terminatedBytes.withUnsafeBufferPointer { buffer throws(SyntaxError) in
      // The buffer is never empty: it ends with zero bytes.
      let lexer = unsafe Lexer(base: buffer.baseAddress!, end: count)
      var parser = Parser(lexer: lexer, source: index, maximumDepth: maximumDepth)
      return try body(&parser)
    }
  }

  /// Parses one production that must extend to the end of the source.
  fileprivate func parseWhole<Result>(
    _ maximumDepth: Int, _ production: (inout Parser) throws(SyntaxError) -> Result
  ) throws(Diagnostics) -> Result {
    do throws(SyntaxError) {
      return try withParser(index: 0, maximumDepth: maximumDepth) { parser throws(SyntaxError) in
        try parser.advance()
        let result = try production(&parser)
        guard parser.token.kind == .endOfSource else {
          throw parser.unexpected(expected: "the end")
        }
        return result
      }
    } catch {
      var diagnostics = DiagnosticCollector(sources: [self])
      diagnostics.add(error, source: 0)
      throw diagnostics.finish()
    }
  }
}
