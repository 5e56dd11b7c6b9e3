/// A scalar type: a leaf whose values have no parts (section 3.5).
public struct ScalarType: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var directives: [Directive]
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, directives: [Directive] = [], nameSpan: Span = .none,
    span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.nameSpan = nameSpan
    self.span = span
  }

  /// Where the scalar's format is specified (section 3.5.1): the `url` of `@specifiedBy`.
  public var specifiedByURL: String? {
    if case .string(let url)? = directives["specifiedBy"]?.argument("url")?.kind {
      url
    } else {
      nil
    }
  }
}
