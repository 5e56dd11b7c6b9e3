/// A type that a schema defines by name (section 3.4).
///
/// Indirect, since every rule visits the types: a copy counts one reference instead of ten.
public indirect enum NamedType: Sendable, Equatable, NamedElement {
  case scalar(ScalarType)
  case object(ObjectType)
  case interface(InterfaceType)
  case union(UnionType)
  case `enum`(EnumType)
  case inputObject(InputObjectType)

  /// The name.
  public var name: String {
    switch self {
    case .scalar(let type): type.name
    case .object(let type): type.name
    case .interface(let type): type.name
    case .union(let type): type.name
    case .enum(let type): type.name
    case .inputObject(let type): type.name
    }
  }

  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String? {
    switch self {
    case .scalar(let type): type.description
    case .object(let type): type.description
    case .interface(let type): type.description
    case .union(let type): type.description
    case .enum(let type): type.description
    case .inputObject(let type): type.description
    }
  }

  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive] {
    switch self {
    case .scalar(let type): type.directives
    case .object(let type): type.directives
    case .interface(let type): type.directives
    case .union(let type): type.directives
    case .enum(let type): type.directives
    case .inputObject(let type): type.directives
    }
  }

  /// The position of the name.
  public var nameRange: SourceRange {
    switch self {
    case .scalar(let type): type.nameRange
    case .object(let type): type.nameRange
    case .interface(let type): type.nameRange
    case .union(let type): type.nameRange
    case .enum(let type): type.nameRange
    case .inputObject(let type): type.nameRange
    }
  }

  /// The whole node, description included.
  public var range: SourceRange {
    switch self {
    case .scalar(let type): type.range
    case .object(let type): type.range
    case .interface(let type): type.range
    case .union(let type): type.range
    case .enum(let type): type.range
    case .inputObject(let type): type.range
    }
  }
}

/// The kind of a named type, with the names of introspection (section 4.2.2).
public enum TypeKind: String, Sendable, CaseIterable {
  case scalar = "SCALAR"
  case object = "OBJECT"
  case interface = "INTERFACE"
  case union = "UNION"
  case `enum` = "ENUM"
  case inputObject = "INPUT_OBJECT"
}

extension NamedType {
  /// The kind.
  public var kind: TypeKind {
    switch self {
    case .scalar: .scalar
    case .object: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .inputObject: .inputObject
    }
  }

  /// Whether values of the type can be arguments (section 3.4.2).
  public var isInputType: Bool {
    switch self {
    case .scalar, .enum, .inputObject: true
    case .object, .interface, .union: false
    }
  }

  /// Whether fields can have the type (section 3.4.2).
  public var isOutputType: Bool {
    if case .inputObject = self { false } else { true }
  }

  /// Whether values of the type have no parts, as scalars and enums (section 3.5).
  public var isLeafType: Bool {
    switch self {
    case .scalar, .enum: true
    default: false
    }
  }

  /// Whether a selection set applies to it, as to objects, interfaces and unions.
  public var isCompositeType: Bool {
    switch self {
    case .object, .interface, .union: true
    default: false
    }
  }

  /// Whether a value's concrete type is only known at run time, as for interfaces and unions.
  public var isAbstractType: Bool {
    switch self {
    case .interface, .union: true
    default: false
    }
  }

  /// The fields of an object or interface type; nil for other kinds.
  public var fields: NamedList<FieldDefinition>? {
    switch self {
    case .object(let type): type.fields
    case .interface(let type): type.fields
    default: nil
    }
  }

  /// The interfaces that an object or interface type declares; nil for other kinds.
  public var interfaces: NamedList<TypeName>? {
    switch self {
    case .object(let type): type.interfaces
    case .interface(let type): type.interfaces
    default: nil
    }
  }
}

extension NamedType {
  /// The type with the additions of its extensions (section 3.4.3). Extensions of another kind add
  /// nothing; `extensionTargets` reports them.
  func merging(_ extensions: [NamedType]) -> NamedType {
    if extensions.isEmpty { return self }
    switch self {
    case .scalar(var type):
      for case .scalar(let added) in extensions { type.directives += added.directives }
      return .scalar(type)
    case .object(var type):
      let added = extensions.compactMap { if case .object(let type) = $0 { type } else { nil } }
      type.interfaces = type.interfaces.appending(added.flatMap(\.interfaces.elements))
      type.fields = type.fields.appending(added.flatMap(\.fields.elements))
      type.directives += added.flatMap(\.directives)
      return .object(type)
    case .interface(var type):
      let added = extensions.compactMap { if case .interface(let type) = $0 { type } else { nil } }
      type.interfaces = type.interfaces.appending(added.flatMap(\.interfaces.elements))
      type.fields = type.fields.appending(added.flatMap(\.fields.elements))
      type.directives += added.flatMap(\.directives)
      return .interface(type)
    case .union(var type):
      let added = extensions.compactMap { if case .union(let type) = $0 { type } else { nil } }
      type.members = type.members.appending(added.flatMap(\.members.elements))
      type.directives += added.flatMap(\.directives)
      return .union(type)
    case .enum(var type):
      let added = extensions.compactMap { if case .enum(let type) = $0 { type } else { nil } }
      type.values = type.values.appending(added.flatMap(\.values.elements))
      type.directives += added.flatMap(\.directives)
      return .enum(type)
    case .inputObject(var type):
      let added = extensions.compactMap {
        if case .inputObject(let type) = $0 { type } else { nil }
      }
      type.fields = type.fields.appending(added.flatMap(\.fields.elements))
      type.directives += added.flatMap(\.directives)
      return .inputObject(type)
    }
  }
}

extension NamedType {
  /// The type with the first field of each name only.
  var withoutRepeatedFields: NamedType {
    switch self {
    case .object(var type):
      type.fields = type.fields.withoutRepeats
      return .object(type)
    case .interface(var type):
      type.fields = type.fields.withoutRepeats
      return .interface(type)
    case .scalar, .union, .enum, .inputObject: return self
    }
  }
}

extension SchemaDefinition {
  /// The definition with the first root type of each operation only.
  var withoutRepeatedRoots: SchemaDefinition {
    var operations: Set<OperationType> = []
    var definition = self
    definition.operationTypes.removeAll { !operations.insert($0.operationType).inserted }
    return definition
  }
}

extension NamedList {
  fileprivate var withoutRepeats: NamedList {
    var names: Set<String> = []
    return NamedList(elements.filter { names.insert($0.name).inserted })
  }

  func appending(_ added: [Element]) -> NamedList {
    added.isEmpty ? self : NamedList(elements + added)
  }
}

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

/// An element with a name: a definition, a member of one, or a reference to one.
public protocol NamedElement {
  /// The name, as it is written.
  var name: String { get }
  /// The position of the name.
  var nameRange: SourceRange { get }
}

/// Elements in the order in which they were written, found by name in constant time.
///
/// Duplicates are kept, so that validation can report them; lookups return the first one.
public struct NamedList<Element: NamedElement>: RandomAccessCollection {
  /// The elements, including duplicates.
  public let elements: [Element]
  /// Positions by name; nil for short lists, in which searching is faster than indexing.
  private let positions: [String: Int]?

  private static var longestSearched: Int { 8 }

  /// Indexes the elements by their names.
  public init(_ elements: [Element]) {
    self.elements = elements
    guard elements.count > Self.longestSearched else {
      positions = nil
      return
    }
    var positions = [String: Int](minimumCapacity: elements.count)
    for position in elements.indices.reversed() {
      positions[elements[position].name] = position
    }
    self.positions = positions
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }
  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

  /// The first element with that name.
  public subscript(name: String) -> Element? {
    position(of: name).map { elements[$0] }
  }

  /// Whether there is an element with that name. Constant time.
  public func contains(name: String) -> Bool { position(of: name) != nil }

  /// Whether two elements have the same name.
  var hasDuplicates: Bool {
    if let positions { return positions.count < elements.count }
    return elements.indices.contains { position(of: elements[$0].name) != $0 }
  }

  /// The position of the first element with that name.
  // Safe: the array keeps its elements during the call; positions are below their count.
  func position(of name: String) -> Int? {
    if let positions { return positions[name] }
    // By pointer: the array's subscript gives a copy of all of an element.
    return unsafe elements.withUnsafeBufferPointer { elements in
      var position = 0
      while position < elements.count {
        if unsafe elements[position].name == name { return position }
        position += 1
      }
      return nil
    }
  }

  /// A part of the element at a position, without a copy of all of it.
  // Safe: the array keeps its elements during the call, and has one at the position.
  @inline(__always)
  func part<Part>(at position: Int, _ read: (UnsafePointer<Element>) -> Part) -> Part {
    precondition(position >= 0 && position < elements.count)
    return unsafe elements.withUnsafeBufferPointer { unsafe read($0.baseAddress! + position) }
  }
}

extension NamedList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension NamedList: Sendable where Element: Sendable {}

extension NamedList: Equatable where Element: Equatable {
  public static func == (lhs: NamedList, rhs: NamedList) -> Bool { lhs.elements == rhs.elements }
}
