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
  public var nameSpan: SourceRange {
    switch self {
    case .scalar(let type): type.nameSpan
    case .object(let type): type.nameSpan
    case .interface(let type): type.nameSpan
    case .union(let type): type.nameSpan
    case .enum(let type): type.nameSpan
    case .inputObject(let type): type.nameSpan
    }
  }

  /// The whole node, description included.
  public var span: SourceRange {
    switch self {
    case .scalar(let type): type.span
    case .object(let type): type.span
    case .interface(let type): type.span
    case .union(let type): type.span
    case .enum(let type): type.span
    case .inputObject(let type): type.span
    }
  }
}
