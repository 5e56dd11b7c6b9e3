/// A scalar type: a leaf whose values have no parts (section 3.5).
public struct ScalarType: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a scalar type.
  public init(
    description: String? = nil, name: String, directives: [Document.Directive] = [],
    nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }

  /// The specification of the scalar's format (section 3.5.1): the `url` of `@specifiedBy`.
  public var specifiedByURL: String? {
    if case .string(let url)? = directives["specifiedBy"]?.argument("url")?.kind {
      url
    } else {
      nil
    }
  }
}
