/// An object type (section 3.6).
public struct ObjectType: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  /// The interfaces it declares, in declaration order.
  public var interfaces: NamedList<TypeName>
  public var fields: NamedList<FieldDefinition>
  public var directives: [Directive]
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, interfaces: NamedList<TypeName> = [],
    fields: NamedList<FieldDefinition> = [], directives: [Directive] = [], nameSpan: Span = .none,
    span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.interfaces = interfaces
    self.fields = fields
    self.directives = directives
    self.nameSpan = nameSpan
    self.span = span
  }
}
