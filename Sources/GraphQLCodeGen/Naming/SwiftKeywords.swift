/// Words that Swift reserves, and the changes of a name that is one of them.
package enum SwiftKeywords {
  /// Words that need backticks in a declaration or a type.
  ///
  /// The contextual words of the last lines are legal without backticks in most places; with them
  /// they are legal in all.
  static let escaped: WordSet = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "inout", "internal", "let", "operator", "precedencegroup", "private", "protocol", "public",
    "rethrows", "static", "struct", "subscript", "typealias", "var",
    "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for",
    "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while",
    "Any", "as", "false", "is", "nil", "super", "throws", "true", "try",
    "actor", "any", "async", "await", "borrowing", "consuming", "each", "isolated", "macro",
    "nonisolated", "open", "package", "sending", "some", "then", "yield",
  ]

  /// Words that are unusable in some places even in backticks (`x.self`, `X.Type`, `X.init`), and
  /// the underscore, which is not an identifier: all of them get a trailing underscore.
  static let unusable: WordSet = ["init", "self", "Self", "Type", "Protocol", "_"]

  /// Labels that need backticks where a parameter is declared.
  static let escapedLabels: WordSet = ["inout", "let", "var"]

  /// The spelling of a declared name: in backticks if it is a keyword.
  package static func spelled(_ name: String) -> String {
    escaped.contains(name) ? "`\(name)`" : name
  }

  /// The spelling of an argument label in a parameter list.
  static func spelledLabel(_ label: String) -> String {
    escapedLabels.contains(label) ? "`\(label)`" : label
  }
}
