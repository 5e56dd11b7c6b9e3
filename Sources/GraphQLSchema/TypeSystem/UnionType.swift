/// A union type (section 3.8).
public struct UnionType: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The object types of its values, in declaration order.
  public var members: NamedList<TypeName>
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a union type.
  public init(
    description: String? = nil, name: String, members: NamedList<TypeName> = [],
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.members = members
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }
}
