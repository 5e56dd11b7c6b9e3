/// A field of an object or interface type (section 3.6).
public struct FieldDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The arguments, in the order in which they are written.
  public var arguments: NamedList<InputValueDefinition>
  /// The type.
  public var type: TypeReference
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The position of the type.
  public var typeRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a field definition.
  public init(
    description: String? = nil, name: String, arguments: NamedList<InputValueDefinition> = [],
    type: TypeReference, directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    typeRange: SourceRange = .none, range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.type = type
    self.directives = directives
    self.nameRange = nameRange
    self.typeRange = typeRange
    self.range = range
  }

  /// Why the field is deprecated; nil if it is not (section 3.13.3).
  public var deprecationReason: String? { directives.deprecationReason }
}
