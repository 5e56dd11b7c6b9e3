extension TypeSystemValidator {
  /// The owners of members: a type of its fields, a field or a directive of its arguments.
  enum Owner {
    case type(String)
    case field(type: String, name: String)
    case directive(String)

    /// The name of a member within the schema.
    func coordinate(of name: String) -> SchemaCoordinate {
      switch self {
      case .type(let type): .member(type: type, name: name)
      case .field(let type, let field): .argument(type: type, field: field, name: name)
      case .directive(let directive): .directiveArgument(directive: directive, name: name)
      }
    }
  }

  /// The members of one owner. The rules visit them by position, which copies only the parts that
  /// they need: a member has a dozen references.
  struct Members<Element> {
    let owner: Owner
    let elements: [Element]

    var indices: Range<Int> { elements.indices }
  }
}

extension TypeSystemValidator.Members where Element: NamedElement {
  func coordinate(at position: Int) -> SchemaCoordinate {
    owner.coordinate(of: elements[position].name)
  }
}
