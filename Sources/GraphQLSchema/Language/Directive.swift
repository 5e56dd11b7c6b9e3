extension Document {
  /// A directive applied to a node: `@deprecated(reason: "…")` (section 2.13).
  public struct Directive: Sendable, Equatable, NamedElement {
    /// The name without the at sign.
    public var name: String
    /// The arguments, in the order in which they are written.
    public var arguments: [Argument]
    /// The name with its at sign.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates a directive.
    public init(
      name: String, arguments: [Argument] = [], nameRange: SourceRange = .none,
      range: SourceRange = .none
    ) {
      self.name = name
      self.arguments = arguments
      self.nameRange = nameRange
      self.range = range
    }

    /// The value of an argument; nil if the argument is not written.
    public func argument(_ name: String) -> Value? {
      arguments.first { $0.name == name }?.value
    }
  }

  /// An argument of a field or directive: `first: 10` (section 2.7).
  public struct Argument: Sendable, Equatable, NamedElement {
    /// The name.
    public var name: String
    /// The value.
    public var value: Value
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates an argument.
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
