/// An input object type (section 3.10).
public struct InputObjectType: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The fields, in the order in which they are written.
  public var fields: NamedList<InputValueDefinition>
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates an input object type.
  public init(
    description: String? = nil, name: String, fields: NamedList<InputValueDefinition> = [],
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.fields = fields
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }

  /// Whether exactly one field must be given (section 3.10.1), that is, `@oneOf` is applied.
  public var isOneOf: Bool { directives["oneOf"] != nil }
}
