/// A field of an object or interface type (section 3.6).
public struct FieldDefinition: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var arguments: NamedList<InputValueDefinition>
  public var type: TypeReference
  public var directives: [Directive]
  public var nameSpan: Span
  public var typeSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, arguments: NamedList<InputValueDefinition> = [],
    type: TypeReference, directives: [Directive] = [], nameSpan: Span = .none,
    typeSpan: Span = .none, span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.type = type
    self.directives = directives
    self.nameSpan = nameSpan
    self.typeSpan = typeSpan
    self.span = span
  }

  /// Why the field is deprecated; nil if it is not (section 3.13.3).
  public var deprecationReason: String? { directives.deprecationReason }
}
