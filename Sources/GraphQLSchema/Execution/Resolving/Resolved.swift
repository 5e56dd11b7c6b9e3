import GraphJSON

/// What a resolver gives for a field, before it is completed by the field's type (section 6.4.3).
public enum Resolved: Sendable {
  /// A scalar, an enum value's name, null, or a tree of objects and lists. An object's members are
  /// what its fields resolve to by default, and `__typename` among them says its type where the
  /// field's type is abstract.
  case json(JSON)
  /// A list whose elements are resolved each on their own.
  case list([Resolved])
  /// An object that resolvers know how to read. Its type may be left out where the field's type is
  /// an object type.
  case object(any Sendable, type: String?)
  /// An error in place of a value, e.g. for one element of a list.
  case failure(ResponseError)

  /// No value.
  public static var null: Resolved { .json(.null) }
}
