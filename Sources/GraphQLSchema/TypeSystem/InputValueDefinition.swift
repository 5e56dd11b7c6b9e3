/// An argument of a field or directive, or a field of an input object (sections 3.6.1, 3.10).
public struct InputValueDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The type.
  public var type: TypeReference
  /// The default value; nil if there is none.
  public var defaultValue: Document.Value?
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The position of the type.
  public var typeRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates an input value definition.
  public init(
    description: String? = nil, name: String, type: TypeReference,
    defaultValue: Document.Value? = nil,
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    typeRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.nameRange = nameRange
    self.typeRange = typeRange
    self.range = range
  }

  /// Whether a value must be given, that is, the type is non-null and there is no default value.
  public var isRequired: Bool { defaultValue == nil && type.isNonNull }

  /// Why the value is deprecated; nil if it is not (section 3.13.3).
  public var deprecationReason: String? { directives.deprecationReason }
}
