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
