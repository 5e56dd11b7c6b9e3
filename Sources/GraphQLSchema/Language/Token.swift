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
