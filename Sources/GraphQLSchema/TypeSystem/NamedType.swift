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
