/// An argument of a field or directive, or a field of an input object (sections 3.6.1, 3.10).
public struct InputValueDefinition: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var type: TypeReference
  public var defaultValue: Value?
  public var directives: [Directive]
  public var nameSpan: Span
  public var typeSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, type: TypeReference, defaultValue: Value? = nil,
    directives: [Directive] = [], nameSpan: Span = .none, typeSpan: Span = .none,
    span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.nameSpan = nameSpan
    self.typeSpan = typeSpan
    self.span = span
  }

  /// Whether a value must be given: the type is non-null and there is no default value.
  public var isRequired: Bool { defaultValue == nil && type.isNonNull }

  /// Why the value is deprecated; nil if it is not (section 3.13.3).
  public var deprecationReason: String? { directives.deprecationReason }
}
