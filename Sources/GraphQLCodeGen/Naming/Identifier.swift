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
