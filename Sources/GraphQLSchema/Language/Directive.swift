/// A directive applied to a node: `@deprecated(reason: "…")` (section 2.12).
public struct Directive: Sendable, Equatable, NamedElement {
  /// The name without the at sign.
  public var name: String
  public var arguments: [Argument]
  /// The name with its at sign.
  public var nameSpan: Span
  public var span: Span

  public init(
    name: String, arguments: [Argument] = [], nameSpan: Span = .none, span: Span = .none
  ) {
    self.name = name
    self.arguments = arguments
    self.nameSpan = nameSpan
    self.span = span
  }

  /// The value written for an argument; nil where the argument is not written.
  public func argument(_ name: String) -> Value? {
    arguments.first { $0.name == name }?.value
  }
}

/// An argument of a field or directive: `first: 10` (section 2.6).
public struct Argument: Sendable, Equatable, NamedElement {
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
