import GraphQLCodeGen

/// Splits Swift source into words and punctuation, leaving out comments, regular expressions and the text of
/// strings.
///
/// Code that is interpolated into a string counts. Time is linear in the source, and unbalanced source ends at its
/// end.
struct SwiftScanner {
  private let source: [UInt8]
  private var position = 0
  private var line = 1
  private var tokens: [SwiftToken] = []
  /// The strings around the current interpolation, with its open parentheses.
  private var interpolations: [(string: Delimiter, parentheses: Int)] = []
  /// The line in which a slash has no other one that ends a regular expression.
  private var lineWithoutRegex = 0

  /// How a string literal ends.
  private struct Delimiter {
    var hashes: Int
    var isMultiline: Bool
  }

  static func tokens(of source: [UInt8]) -> [SwiftToken] {
    var scanner = SwiftScanner(source: source)
    while scanner.position < source.count { scanner.scan() }
    return scanner.tokens
  }

  private init(source: [UInt8]) { self.source = source }

  private func byte(_ distance: Int = 0) -> UInt8 {
    let index = position + distance
    return index < source.count ? source[index] : 0
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      if source[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private mutating func scan() {
    switch (byte(), byte(1)) {
    case (UInt8(ascii: "/"), UInt8(ascii: "/")):
      while position < source.count, byte() != UInt8(ascii: "\n") { advance() }
    case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipComment()
    case (UInt8(ascii: "/"), _): scanSlash()
    case (UInt8(ascii: "\""), _): openString(hashes: 0)
    case (UInt8(ascii: "#"), _): scanHashes()
    case (UInt8(ascii: "`"), _): advance()
    case let (first, _) where Self.isWord(first): scanWord()
    case let (first, _) where first <= 0x20: advance()
    default: scanMark()
    }
  }

  /// Comments nest.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        advance(2)
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && position < source.count
  }

  private mutating func scanWord() {
    let start = position
    while Self.isWord(byte()) { position += 1 }
    tokens.append(
      SwiftToken(text: String(decoding: source[start..<position], as: UTF8.self), line: line))
  }

  private mutating func scanMark() {
    let mark = byte()
    tokens.append(SwiftToken(text: String(UnicodeScalar(mark)), line: line))
    advance()
    guard let last = interpolations.indices.last else { return }
    if mark == UInt8(ascii: "(") { interpolations[last].parentheses += 1 }
    guard mark == UInt8(ascii: ")") else { return }
    interpolations[last].parentheses -= 1
    if interpolations[last].parentheses == 0 { skipText(of: interpolations.removeLast().string) }
  }

  /// Hashes start a raw string, an extended regular expression, or a macro or directive.
  private mutating func scanHashes() {
    let count = hashCount(after: 0)
    switch byte(count) {
    case UInt8(ascii: "\""):
      advance(count)
      openString(hashes: count)
    case UInt8(ascii: "/"): skipExtendedRegex(hashes: count)
    default: advance(count)
    }
  }

  /// `#/…/#`; with several lines if the first one is empty.
  private mutating func skipExtendedRegex(hashes: Int) {
    advance(hashes + 1)
    let isMultiline = byte() == UInt8(ascii: "\n") || byte() == UInt8(ascii: "\r")
    while position < source.count {
      switch byte() {
      case UInt8(ascii: "\n") where !isMultiline: return
      case UInt8(ascii: "\\"): advance(2)
      case UInt8(ascii: "/") where hashCount(after: 1) >= hashes: return advance(1 + hashes)
      default: advance()
      }
    }
  }

  /// A regular expression, or an operator.
  private mutating func scanSlash() {
    guard isOperandExpected, let count = regexCount() else { return scanMark() }
    advance(count)
  }

  /// Whether a slash here is before an operand, so that it does not divide.
  private var isOperandExpected: Bool {
    if position > 0 {
      let before = source[position - 1]
      if Self.isWord(before) || "\"`!?".utf8.contains(before) { return false }
    }
    guard let last = tokens.last?.text, let byte = last.utf8.first else { return true }
    return Self.isWord(byte) ? Self.wordsBeforeOperands.contains(last) : !")]}".utf8.contains(byte)
  }

  private static let wordsBeforeOperands: Set<String> = [
    "await", "case", "else", "if", "in", "return", "switch", "throw", "try", "while", "where",
  ]

  /// The number of bytes up to the end of a regular expression (SE-0354): it is in one line, has balanced
  /// parentheses, and neither begins nor ends with a space. nil for an operator.
  private mutating func regexCount() -> Int? {
    guard lineWithoutRegex != line else { return nil }
    var (count, classes, parentheses) = (1, 0, 0)
    if byte(count) == UInt8(ascii: " ") || byte(count) == UInt8(ascii: "\t") { return nil }
    while position + count < source.count, byte(count) != UInt8(ascii: "\n") {
      switch byte(count) {
      case UInt8(ascii: "\\"): count += 1
      case UInt8(ascii: "["): classes += 1
      case UInt8(ascii: "]"): classes = max(0, classes - 1)
      case UInt8(ascii: "(") where classes == 0: parentheses += 1
      case UInt8(ascii: ")") where classes == 0:
        parentheses -= 1
        if parentheses < 0 { return nil }
      case UInt8(ascii: "/") where classes == 0:
        return byte(count - 1) == UInt8(ascii: " ") ? nil : count + 1
      default: break
      }
      count += 1
    }
    lineWithoutRegex = line
    return nil
  }

  private mutating func openString(hashes: Int) {
    let quotes = quoteCount()
    let isMultiline = quotes >= 3
    advance(isMultiline ? 3 : 1)
    skipText(of: Delimiter(hashes: hashes, isMultiline: isMultiline))
  }

  /// Up to the end of the string or to the first interpolation in it.
  private mutating func skipText(of string: Delimiter) {
    while position < source.count {
      switch byte() {
      case UInt8(ascii: "\n") where !string.isMultiline: return
      case UInt8(ascii: "\\") where hashCount(after: 1) >= string.hashes:
        let next = 1 + string.hashes
        guard byte(next) == UInt8(ascii: "(") else {
          // The escaped character, unless it is a significant end of line.
          advance(byte(next) == UInt8(ascii: "\n") ? next : next + 1)
          continue
        }
        advance(next + 1)
        interpolations.append((string, 1))
        return
      case UInt8(ascii: "\"") where closes(string):
        return advance((string.isMultiline ? 3 : 1) + string.hashes)
      default: advance()
      }
    }
  }

  private func closes(_ string: Delimiter) -> Bool {
    let quotes = string.isMultiline ? 3 : 1
    return quoteCount() >= quotes && hashCount(after: quotes) >= string.hashes
  }

  private func quoteCount() -> Int {
    var count = 0
    while count < 3, byte(count) == UInt8(ascii: "\"") { count += 1 }
    return count
  }

  private func hashCount(after distance: Int) -> Int {
    var count = 0
    while byte(distance + count) == UInt8(ascii: "#") { count += 1 }
    return count
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}

/// A word or a punctuation mark of Swift source.
struct SwiftToken: Equatable {
  /// An identifier or keyword without backticks, or one character.
  let text: String
  /// 1-based.
  let line: Int
}
