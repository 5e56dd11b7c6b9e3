/// An input object type (section 3.10).
public struct InputObjectType: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var fields: NamedList<InputValueDefinition>
  public var directives: [Directive]
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, fields: NamedList<InputValueDefinition> = [],
    directives: [Directive] = [], nameSpan: Span = .none, span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.fields = fields
    self.directives = directives
    self.nameSpan = nameSpan
    self.span = span
  }

  /// Whether exactly one field must be given (section 3.10.1): `@oneOf` is applied.
  public var isOneOf: Bool { directives["oneOf"] != nil }
}
