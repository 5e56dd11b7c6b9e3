extension Document {
  /// An input value as written in a document (section 2.10).
  public struct Value: Sendable, Equatable {
    /// The value.
    public var kind: Kind
    /// The whole node.
    public var range: SourceRange

    /// Creates a value.
    public init(_ kind: Kind, range: SourceRange = .none) {
      self.kind = kind
      self.range = range
    }

    /// The kinds of value, with their contents.
    public enum Kind: Sendable, Equatable {
      /// A variable's name without the dollar sign; never occurs in a constant value.
      case variable(String)
      /// The digits as written, so that no precision is lost.
      case int(String)
      /// The number as written, so that no precision is lost.
      case float(String)
      /// The value of the text: escapes are resolved, a block string's common indent is removed.
      case string(String)
      case boolean(Bool)
      case null
      case `enum`(String)
      case list([Value])
      /// The fields in the order in which they were written, including duplicates.
      case object([ObjectField])
    }

    /// A variable by its name without the dollar sign.
    public static func variable(_ name: String) -> Value { Value(.variable(name)) }
    /// An integer.
    public static func int(_ value: Int) -> Value { Value(.int(String(value))) }
    /// A string.
    public static func string(_ text: String) -> Value { Value(.string(text)) }
    /// `true` or `false`.
    public static func boolean(_ value: Bool) -> Value { Value(.boolean(value)) }
    /// The literal `null`.
    public static var null: Value { Value(.null) }
    /// An enum value by its name.
    public static func `enum`(_ name: String) -> Value { Value(.enum(name)) }
    /// A list.
    public static func list(_ items: [Value]) -> Value { Value(.list(items)) }
    /// An input object.
    public static func object(_ fields: [ObjectField]) -> Value { Value(.object(fields)) }

    /// Whether it is `null`.
    public var isNull: Bool {
      if case .null = kind { true } else { false }
    }
  }

  /// One field of an input object value: `{ name: "x" }` (section 2.10.8).
  public struct ObjectField: Sendable, Equatable, NamedElement {
    /// The name.
    public var name: String
    /// The value.
    public var value: Value
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates an object field.
    public init(
      name: String, value: Value, nameRange: SourceRange = .none, range: SourceRange = .none
    ) {
      self.name = name
      self.value = value
      self.nameRange = nameRange
      self.range = range
    }
  }
}
