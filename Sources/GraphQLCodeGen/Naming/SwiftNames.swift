#if !ONE_MODULE
  import GraphJSON
  package import GraphQLSchema
#endif

/// The Swift names that a configuration gives to the elements of a schema, before keywords and the
/// names of generated code are avoided.
package struct WantedNames {
  private let style: Configuration.Naming
  private let conversion: CaseConversion
  private let renames: [SchemaCoordinate: String]

  package init(_ configuration: Configuration) {
    style = configuration.naming
    conversion = CaseConversion(acronyms: Set(configuration.acronyms))
    renames = configuration.rename.mapValues(\.value)
  }

  package subscript(coordinate: SchemaCoordinate) -> String {
    // Hashing each coordinate would be measurable, and most configurations rename nothing.
    if !renames.isEmpty, let name = renames[coordinate] { return name }
    switch (style, coordinate) {
    case (.asWritten, _): return coordinate.name
    case (.camelCase, .type(let name)): return conversion.type(name)
    case (.camelCase, _): return conversion.member(coordinate.name)
    }
  }
}

extension SchemaCoordinate {
  /// The last name of the coordinate: that of the element.
  fileprivate var name: String {
    switch self {
    case .type(let name), .member(_, let name), .argument(_, _, let name), .directive(let name),
      .directiveArgument(_, let name):
      name
    }
  }
}

/// Conversions between the spellings of GraphQL and Swift. Names are ASCII by their grammar.
///
/// Underscores at either end of a name are kept. Inside it, they separate words, except between two
/// digits: `v1_2` stays different from `v12`.
struct CaseConversion {
  /// Words, in lower case, that are written in capitals unless they begin a member's name.
  let acronyms: Set<String>

  /// A field, argument or case: `created_at` is `createdAt`, `BEST_SELLING` is `bestSelling`, `URL`
  /// is `url`.
  func member(_ name: String) -> String {
    if acronyms.isEmpty, Self.isMember(name) { return name }
    return convert(name, capitalizingFirst: false)
  }

  /// A type: `users_by_pk` is `UsersByPk`. Upper-case names without underscores stay unchanged.
  func type(_ name: String) -> String {
    if acronyms.isEmpty, Self.isType(name) { return name }
    return convert(name, capitalizingFirst: true)
  }

  private func convert(_ name: String, capitalizingFirst: Bool) -> String {
    let bytes = Array(name.utf8)
    guard let start = bytes.firstIndex(where: { $0 != underscore }),
      let last = bytes.lastIndex(where: { $0 != underscore })
    else { return name }
    let core = bytes[start...last]
    let isUpper = !core.contains(where: isLower)
    // `SKU` is the usual name of such a type, but `ORDER_STATE` is not.
    let lowersWords = isUpper && !(capitalizingFirst && !core.contains(underscore))
    var result = Array(bytes[..<start])
    for word in Self.words(core) {
      var word = lowersWords ? word.map(lowered) : Array(word)
      let isFirst = result.count == start
      if isFirst, !capitalizingFirst {
        word = Self.lowercasingStart(word)
      } else if let first = word.first {
        word[0] = raised(first)
      }
      if let before = result.last, Byte.isDigit(before), let first = word.first, Byte.isDigit(first)
      {
        result.append(underscore)
      }
      result +=
        acronyms.isEmpty ? word : raisingAcronyms(word, keepingFirst: isFirst && !capitalizingFirst)
    }
    result += bytes[last...].dropFirst()
    return String(decoding: result, as: UTF8.self)
  }

  private static func words(_ core: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    core.split(separator: underscore)
  }

  /// `Title` is `title`, `URL` is `url`, `HTMLBody` is `htmlBody`, `IDsByName` is `idsByName`.
  private static func lowercasingStart(_ word: [UInt8]) -> [UInt8] {
    var capitals = word.prefix(while: isUpper).count
    let rest = word[capitals...]
    if capitals > 1, let next = rest.first, isLower(next), !isPluralEnd(rest) { capitals -= 1 }
    return word[..<capitals].map(lowered) + word[capitals...]
  }

  /// Whether the text after capitals is the end of a plural such as `IDs`, and of its word.
  private static func isPluralEnd(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.first == UInt8(ascii: "s") && !(rest.dropFirst().first.map(isLower) ?? false)
  }

  /// The parts of a word that are acronyms in capitals, also in the plural: `Url` is `URL`, `Ids` is
  /// `IDs`.
  private func raisingAcronyms(_ word: [UInt8], keepingFirst: Bool) -> [UInt8] {
    var result: [UInt8] = []
    for part in Self.parts(word) {
      let text = String(decoding: part.map(lowered), as: UTF8.self)
      if keepingFirst, result.isEmpty {
        result += part
      } else if acronyms.contains(text) {
        result += part.map(raised)
      } else if text.hasSuffix("s"), acronyms.contains(String(text.dropLast())) {
        result += part.dropLast().map(raised) + [UInt8(ascii: "s")]
      } else {
        result += part
      }
    }
    return result
  }

  /// `imageUrl` is `image` and `Url`; `HTMLBody` is `HTML` and `Body`.
  private static func parts(_ word: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for index in word.indices.dropFirst() where isUpper(word[index]) {
      let beginsPart = !isUpper(word[index - 1])
      let endsCapitals = index + 1 < word.count && isLower(word[index + 1])
      if beginsPart || endsCapitals {
        parts.append(word[start..<index])
        start = index
      }
    }
    parts.append(word[start...])
    return parts
  }

  /// Whether a name contains no underscore and begins with a lower-case letter.
  private static func isMember(_ name: String) -> Bool {
    name.utf8.first.map(isLower) ?? false && !name.utf8.contains(underscore)
  }

  private static func isType(_ name: String) -> Bool {
    name.utf8.first.map(isUpper) ?? false && !name.utf8.contains(underscore)
  }
}

extension CaseConversion {
  /// The reader of a field under an alias: `node` is `aliasedNode`.
  static func aliasedReader(_ field: String) -> String {
    "aliased" + capitalized(field)
  }

  /// A type condition: `Order` is `onOrder`.
  static func condition(_ type: String) -> String {
    "on" + capitalized(type)
  }

  static func capitalized(_ name: String) -> String {
    guard let first = name.utf8.first, isLower(first) else { return name }
    var bytes = Array(name.utf8)
    bytes[0] = raised(first)
    return String(decoding: bytes, as: UTF8.self)
  }
}

private let underscore = UInt8(ascii: "_")

private func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
private func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
private func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
private func raised(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }

/// Names that are declared in one scope: no two of them may be equal.
///
/// Names are claimed in rounds, those with a right to their spelling first. A name that is taken
/// gets a trailing underscore, then two, then a number, until it is free. So the result depends
/// only on the order of the claims.
struct NameScope {
  private let reserved: WordSet
  /// Kept separately from the reserved names, which would otherwise be copied for each scope. Most
  /// scopes have a few names, for which searching is faster than hashing.
  private var few: [String] = []
  /// All taken names, once there are more than a few.
  private var many: Set<String>?
  /// The changes of each requested name, so that many equal requests do not take quadratic time.
  private var changes: [String: Int] = [:]

  /// - Parameter reserved: Names that are never available.
  init(reserved: WordSet = []) {
    self.reserved = reserved
  }

  /// Takes a name if it is free.
  private mutating func take(_ name: String) -> Bool {
    if reserved.contains(name) { return false }
    if let isNew = many?.insert(name).inserted { return isNew }
    if few.contains(name) { return false }
    few.append(name)
    if few.count > Self.longestSearched { many = Set(few) }
    return true
  }

  private static let longestSearched = 8

  private mutating func reserve(_ count: Int) {
    let total = (many?.count ?? few.count) + count
    if total <= Self.longestSearched { return few.reserveCapacity(total) }
    if many == nil { many = Set(few) }
    many?.reserveCapacity(total)
  }

  /// Takes a name, or the next free one after it.
  mutating func claim(_ wanted: String) -> String {
    var name = wanted
    while SwiftKeywords.unusable.contains(name) || !take(name) {
      let change = changes[wanted, default: 0] + 1
      changes[wanted] = change
      name = wanted + (change == 1 ? "_" : change == 2 ? "__" : "_\(change)")
    }
    return name
  }

  /// Takes a label if it is free. Labels may be any word.
  mutating func claimLabel(_ label: String) -> Bool {
    take(label)
  }

  /// Takes a name for each request. Requests that need no change come first, so that a field
  /// `init_` keeps its name although a field `init` before it has to change.
  mutating func claimAll(_ wanted: [String]) -> [String] {
    reserve(wanted.count)
    let denied = wanted.indices.filter {
      SwiftKeywords.unusable.contains(wanted[$0]) || !take(wanted[$0])
    }
    var names = wanted
    for position in denied { names[position] = claim(wanted[position]) }
    return names
  }
}

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
