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

/// An interface type (section 3.7).
public struct InterfaceType: Sendable, Equatable, NamedElement {
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

  /// Creates an interface type.
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
