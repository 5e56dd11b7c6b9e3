/// Names that generated declarations cannot have, because the code around them uses them.
enum ReservedNames {
  /// Nested types of the namespace that would change the meaning of words in generated code. Every
  /// scope rejects `self`, `Type` and similar names.
  static func types(namespace: String) -> WordSet {
    [
      namespace, "Swift", RuntimeSymbols.namespace, "Any", Generated.abstractQuery,
      Generated.abstractResponse, Generated.makeSchema, RuntimeSymbols.schema, "buildQuery",
      "buildMutation",
      "buildSubscription",
    ]
  }

  /// Methods of query classes that generated bodies call.
  static let builderMethods: WordSet = RuntimeSymbols.queryHelpers

  /// Methods of the base class with an argument `if`. A field of such a name conflicts only if it has
  /// an argument `if` too.
  static let builderMethodsWithIf: WordSet = ["include", "skip"]

  /// Properties of response classes that accessors call, and properties of the base class.
  static let accessors: WordSet = RuntimeSymbols.responseHelpers.union([
    "customMirror", "debugDescription", "hashValue",
  ])

  /// Properties of input objects.
  static let inputProperties: WordSet = [RuntimeSymbols.inputFields, "hashValue"]

  /// Cases of enums that `CaseIterable` and the runtime declare on the type.
  static let enumCases: WordSet = [
    "allCases", RuntimeSymbols.unknownValue, RuntimeSymbols.enumNames, RuntimeSymbols.enumCases,
  ]

  /// Cases of `@oneOf` inputs.
  static let oneOfCases: WordSet = [RuntimeSymbols.oneOfField]

  /// Properties of the structs of operations.
  static let selectedProperties: WordSet = [
    RuntimeSymbols.selectedFields, "debugDescription", "hashValue",
  ]

  /// Variables in the initialisers of operations.
  static let operationVariables: WordSet = SwiftKeywords.escaped
    .union([
      RuntimeSymbols.localVariables, RuntimeSymbols.storedVariables, RuntimeSymbols.namespace,
      RuntimeSymbols.data,
    ])

  /// Labels of arguments: `alias:` comes before all of them.
  static let builderLabels: WordSet = ["alias"]

  /// Variables in bodies: parameters with these names would hide what the body calls.
  static let variables: WordSet = SwiftKeywords.escaped
    .union(RuntimeSymbols.queryHelpers)
    .union([
      "alias", "subfields", "directive", RuntimeSymbols.inputFields,
    ])

  /// Standard types that generated code uses; a schema type with that name hides them.
  static let standardTypes: Set<String> = [
    "Array", "Bool", "Double", "Hashable", "Identifiable", "Int", "Sendable",
    "StaticString",
    "String",
    "Void",
  ]
}

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

/// Text that may be written into source as a bare word. Everything else is rejected before it is
/// planned.
package enum Identifier {
  /// Whether a text is a GraphQL name (section 2.1.8), which is also a Swift identifier.
  // Safe: the string keeps its bytes valid during the call.
  static func isName(_ text: String) -> Bool {
    unsafe text.utf8.withContiguousStorageIfAvailable(unsafe isName) ?? isName(Array(text.utf8))
  }

  private static func isName(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first, isStart(first) else { return false }
    return text.allSatisfy { isStart($0) || ($0 >= 0x30 && $0 <= 0x39) }
  }

  /// Whether a text can name a declaration, with backticks if needed.
  static func isSwiftName(_ text: String) -> Bool {
    isName(text) && !SwiftKeywords.unusable.contains(text)
  }

  /// Whether a text is a path of identifiers such as `MoneyKit.Money`.
  static func isPath(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { isUnescaped(String($0)) }
  }

  /// Whether a text is the name of a module.
  package static func isModule(_ text: String) -> Bool { isUnescaped(text) }

  /// Whether a text is an identifier that needs no backticks.
  private static func isUnescaped(_ text: String) -> Bool {
    isName(text) && !SwiftKeywords.unusable.contains(text) && !SwiftKeywords.escaped.contains(text)
  }

  private static func isStart(_ byte: UInt8) -> Bool {
    byte == 0x5F || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
  }
}

/// Words with which names are compared.
///
/// Hardly any name is one of them, and most differ in their first letter and their length: hashing
/// each name for each set took a thirtieth of the time of generating.
package struct WordSet: ExpressibleByArrayLiteral, Sendable {
  private let words: Set<String>
  /// For each first byte of a word, a bit for each length of those words; the last bit is for all
  /// that are longer.
  private let lengths: [UInt32]

  init(_ words: Set<String>) {
    self.words = words
    var lengths = [UInt32](repeating: 0, count: 256)
    for word in words {
      lengths[Int(word.utf8.first ?? 0)] |= Self.bit(of: word)
    }
    self.lengths = lengths
  }

  package init(arrayLiteral words: String...) { self.init(Set(words)) }

  package func contains(_ word: String) -> Bool {
    lengths[Int(word.utf8.first ?? 0)] & Self.bit(of: word) != 0 && words.contains(word)
  }

  func union(_ others: WordSet) -> WordSet { WordSet(words.union(others.words)) }

  private static func bit(of word: String) -> UInt32 { 1 << min(UInt32(word.utf8.count), 31) }
}
