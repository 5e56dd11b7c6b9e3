/// The name of an element of a schema (section 2.14): `Product.title`, `Query.products(first:)`.
public enum SchemaCoordinate: Sendable, Hashable, CustomStringConvertible {
  case type(String)
  /// A field, input field or enum value.
  case member(type: String, name: String)
  case argument(type: String, field: String, name: String)
  case directive(String)
  case directiveArgument(directive: String, name: String)

  /// The coordinate as text, e.g. `Query.products(first:)`.
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

extension SchemaCoordinate {
  /// nil if the text is not a coordinate, e.g. because a name is missing or not a name.
  public init?(_ text: String) {
    var rest = text[...]
    let isDirective = rest.removePrefix("@")
    var argument: String?
    if rest.removeSuffix(":)") {
      guard let opening = rest.firstIndex(of: "(") else { return nil }
      argument = String(rest[rest.index(after: opening)...])
      rest = rest[..<opening]
    }
    let names = rest.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (names + [argument].compactMap(\.self)).allSatisfy(isValidName) else { return nil }
    switch (isDirective, names.count, argument) {
    case (true, 1, nil): self = .directive(names[0])
    case (true, 1, let argument?): self = .directiveArgument(directive: names[0], name: argument)
    case (false, 1, nil): self = .type(names[0])
    case (false, 2, nil): self = .member(type: names[0], name: names[1])
    case (false, 2, let argument?):
      self = .argument(type: names[0], field: names[1], name: argument)
    default: return nil
    }
  }
}

extension Substring {
  fileprivate mutating func removePrefix(_ prefix: String) -> Bool {
    guard hasPrefix(prefix) else { return false }
    removeFirst(prefix.count)
    return true
  }

  fileprivate mutating func removeSuffix(_ suffix: String) -> Bool {
    guard hasSuffix(suffix) else { return false }
    removeLast(suffix.count)
    return true
  }
}
