/// A resolved type of the generated code.
package indirect enum SwiftType: Equatable, Sendable {
  /// Spelled the same everywhere: `String`, `Swift.String`, `GraphQL.ID`, `MoneyKit.Money`.
  case named(String)
  /// A type of the generated namespace.
  case generated(String)
  /// Any value of a protocol of the generated namespace.
  case existential(String)
  case optional(SwiftType)
  case array(SwiftType)

  /// The spelling, with a prefix before the types of the namespace: empty inside the namespace,
  /// `Storefront.` outside.
  func spelled(prefix: String = "") -> SourceText {
    var text = SourceText(capacity: 64)
    spell(prefix: prefix, into: &text)
    return text
  }

  /// Appends the spelling.
  func spell(prefix: String, into text: inout SourceText) {
    switch self {
    case .named(let name): text.append(name: name)
    case .generated(let name):
      text.append(name: prefix)
      text.append(name: name)
    case .existential(let name):
      text.append("any ")
      SwiftType.generated(name).spell(prefix: prefix, into: &text)
    case .optional(.existential(let name)):
      text.append("(")
      SwiftType.existential(name).spell(prefix: prefix, into: &text)
      text.append(")?")
    case .optional(let wrapped):
      wrapped.spell(prefix: prefix, into: &text)
      text.append("?")
    case .array(let element):
      text.append("[")
      element.spell(prefix: prefix, into: &text)
      text.append("]")
    }
  }
}
