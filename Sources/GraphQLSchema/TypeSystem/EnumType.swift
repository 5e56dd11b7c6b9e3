/// An enum type (section 3.9).
public struct EnumType: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var values: NamedList<EnumValueDefinition>
  public var directives: [Directive]
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, values: NamedList<EnumValueDefinition> = [],
    directives: [Directive] = [], nameSpan: Span = .none, span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.values = values
    self.directives = directives
    self.nameSpan = nameSpan
    self.span = span
  }
}
