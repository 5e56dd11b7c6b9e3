/// An input value as written in a document (section 2.9).
public struct Value: Sendable, Equatable {
  public var kind: Kind
  public var span: Span

  public init(_ kind: Kind, span: Span = .none) {
    self.kind = kind
    self.span = span
  }

  public enum Kind: Sendable, Equatable {
    /// A variable's name without the dollar sign; never occurs in a constant value.
    case variable(String)
    /// The digits as written, so that no precision is lost.
    case int(String)
    /// The number as written, so that no precision is lost.
    case float(String)
    /// The text that is meant: escapes are resolved, a block string's common indent is removed.
    case string(String)
    case boolean(Bool)
    case null
    case `enum`(String)
    case list([Value])
    /// The fields in the order in which they were written, duplicates included.
    case object([ObjectField])
  }

  public static func variable(_ name: String) -> Value { Value(.variable(name)) }
  public static func int(_ value: Int) -> Value { Value(.int(String(value))) }
  public static func string(_ text: String) -> Value { Value(.string(text)) }
  public static func boolean(_ value: Bool) -> Value { Value(.boolean(value)) }
  public static var null: Value { Value(.null) }
  public static func `enum`(_ name: String) -> Value { Value(.enum(name)) }
  public static func list(_ items: [Value]) -> Value { Value(.list(items)) }
  public static func object(_ fields: [ObjectField]) -> Value { Value(.object(fields)) }

  public var isNull: Bool {
    if case .null = kind { true } else { false }
  }
}

/// One field of an input object value: `{ name: "x" }` (section 2.9.8).
public struct ObjectField: Sendable, Equatable, NamedElement {
  public var name: String
  public var value: Value
  public var nameSpan: Span
  public var span: Span

  public init(name: String, value: Value, nameSpan: Span = .none, span: Span = .none) {
    self.name = name
    self.value = value
    self.nameSpan = nameSpan
    self.span = span
  }
}
