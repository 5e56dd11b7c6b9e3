/// A union type (section 3.8).
public struct UnionType: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  /// The object types it may be, in declaration order.
  public var members: NamedList<TypeName>
  public var directives: [Directive]
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, members: NamedList<TypeName> = [],
    directives: [Directive] = [], nameSpan: Span = .none, span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.members = members
    self.directives = directives
    self.nameSpan = nameSpan
    self.span = span
  }
}
