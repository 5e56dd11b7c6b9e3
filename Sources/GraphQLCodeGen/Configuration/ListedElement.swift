import GraphQLSchema

/// An entry of the allow and deny lists: a type or one of its fields, in the form of the
/// specification's schema coordinates, `Product` or `Product.title` (section 2.14).
public struct ListedElement: Sendable, Hashable, CustomStringConvertible {
  /// The type's name in the schema.
  public var type: String
  /// A field of an object, interface or input object; nil for the whole type.
  public var field: String?

  /// An entry for a type, or for one of its fields.
  public init(type: String, field: String? = nil) {
    self.type = type
    self.field = field
  }

  /// nil if the text is neither a name nor two names separated by a dot.
  public init?(_ text: String) {
    switch SchemaCoordinate(text) {
    case .type(let type): self.init(type: type)
    case .member(let type, let field): self.init(type: type, field: field)
    case .argument, .directive, .directiveArgument, nil: return nil
    }
  }

  public var description: String { field.map { "\(type).\($0)" } ?? type }
}
