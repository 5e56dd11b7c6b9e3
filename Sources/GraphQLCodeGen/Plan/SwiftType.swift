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
  /// The three states of a field that may be left out.
  case input(SwiftType)

  /// The spelling, with a prefix before the types of the namespace: empty where the code stands
  /// inside the namespace, `Storefront.` outside.
  package func spelled(prefix: String = "") -> String {
    switch self {
    case .named(let name): name
    case .generated(let name): prefix + name
    case .existential(let name): "any " + prefix + name
    case .optional(.existential(let name)): "(any " + prefix + name + ")?"
    case .optional(let wrapped): wrapped.spelled(prefix: prefix) + "?"
    case .array(let element): "[" + element.spelled(prefix: prefix) + "]"
    case .input(let value): RuntimeSymbols.input + "<" + value.spelled(prefix: prefix) + ">"
    }
  }
}
