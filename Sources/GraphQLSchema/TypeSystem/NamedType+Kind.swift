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
