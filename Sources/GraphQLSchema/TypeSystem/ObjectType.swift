/// An object type (section 3.6).
public struct ObjectType: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The interfaces it declares, in declaration order.
  public var interfaces: NamedList<TypeName>
  /// The fields, in the order in which they are written.
  public var fields: NamedList<FieldDefinition>
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates an object type.
  public init(
    description: String? = nil, name: String, interfaces: NamedList<TypeName> = [],
    fields: NamedList<FieldDefinition> = [], directives: [Document.Directive] = [],
    nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.interfaces = interfaces
    self.fields = fields
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }
}
