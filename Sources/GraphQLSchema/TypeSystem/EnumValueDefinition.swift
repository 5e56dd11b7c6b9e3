/// A value of an enum type (section 3.9).
public struct EnumValueDefinition: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var directives: [Directive]
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, directives: [Directive] = [],
    nameSpan: Span = .none, span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.nameSpan = nameSpan
    self.span = span
  }

  /// Why the value is deprecated; nil if it is not (section 3.13.3).
  public var deprecationReason: String? { directives.deprecationReason }
}
