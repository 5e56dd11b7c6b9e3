/// A value of an enum type (section 3.9).
public struct EnumValueDefinition: Sendable, Equatable, NamedElement {
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

  /// Creates an enum value definition.
  public init(
    description: String? = nil, name: String, directives: [Document.Directive] = [],
    nameRange: SourceRange = .none, range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }

  /// Why the value is deprecated; nil if it is not (section 3.13.3).
  public var deprecationReason: String? { directives.deprecationReason }
}
