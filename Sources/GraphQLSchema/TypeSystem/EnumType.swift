/// An enum type (section 3.9).
public struct EnumType: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The values, in the order in which they are written.
  public var values: NamedList<EnumValueDefinition>
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates an enum type.
  public init(
    description: String? = nil, name: String, values: NamedList<EnumValueDefinition> = [],
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.values = values
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }
}
