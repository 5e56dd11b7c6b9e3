package import GraphQLSchema

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
      if let before = result.last, isDigit(before), let first = word.first, isDigit(first) {
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
private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
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
