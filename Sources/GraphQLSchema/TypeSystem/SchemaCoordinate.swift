/// The name of an element of a schema (section 2.14): `Product.title`, `Query.products(first:)`.
public enum SchemaCoordinate: Sendable, Hashable, CustomStringConvertible {
  case type(String)
  /// A field, input field or enum value.
  case member(type: String, name: String)
  case argument(type: String, field: String, name: String)
  case directive(String)
  case directiveArgument(directive: String, name: String)

  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String {
    switch self {
    case .type(let name): name
    case .member(let type, let name): "\(type).\(name)"
    case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
    case .directive(let name): "@\(name)"
    case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
    }
  }
}
