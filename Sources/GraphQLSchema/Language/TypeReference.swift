/// The type of a field, argument or variable: a name wrapped in lists and non-nulls (section 2.12).
public indirect enum TypeReference: Sendable, Hashable {
  case named(String)
  case list(TypeReference)
  /// The wrapped type is never itself non-null.
  case nonNull(TypeReference)

  /// The name under all wrappers: `Product` of `[Product!]!`.
  public var namedType: String {
    var type = self
    while true {
      switch type {
      case .named(let name): return name
      case .list(let item): type = item
      case .nonNull(let inner): type = inner
      }
    }
  }

  /// Whether the outermost wrapper is a non-null.
  public var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// The type without its outermost non-null: `[ID!]` of `[ID!]!`.
  public var nullable: TypeReference {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// Whether the value is a list, nullable or not.
  public var isList: Bool { itemType != nil }

  /// The type of the items if the value is a list, nullable or not: `ID!` of `[ID!]!`.
  public var itemType: TypeReference? {
    if case .list(let item) = nullable { item } else { nil }
  }
}

extension TypeReference: CustomStringConvertible {
  /// The reference in a document's syntax: `[ID!]!`.
  public var description: String {
    switch self {
    case .named(let name): name
    case .list(let item): "[" + item.description + "]"
    case .nonNull(let inner): inner.description + "!"
    }
  }
}

/// A reference to a type by its name: an interface, a union's member, the type of a root operation,
/// a type condition.
public struct TypeName: Sendable, Equatable, NamedElement, ExpressibleByStringLiteral {
  /// The name.
  public var name: String
  /// The whole node.
  public var range: SourceRange

  /// Creates a type name.
  public init(_ name: String, range: SourceRange = .none) {
    self.name = name
    self.range = range
  }

  public init(stringLiteral name: String) { self.init(name) }

  /// The position of the name.
  public var nameRange: SourceRange { range }
}
