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
