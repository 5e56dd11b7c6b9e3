import GraphJSON

/// A resolver's result for a field, before it is completed according to the field's type (section
/// 6.4.3).
public enum Resolved: Sendable {
  /// A scalar, an enum value's name, null, or a tree of objects and lists. An object's fields
  /// resolve to its members by default, and its `__typename` determines its type if the field's
  /// type is abstract.
  case json(JSON)
  /// A list whose elements are resolved separately.
  case list([Resolved])
  /// An object that resolvers can read. Its type may be left out if the field's type is an object
  /// type.
  case object(any Sendable, type: String?)
  /// An error in place of a value, e.g. for one element of a list.
  case failure(ExecutionError)

  /// No value.
  public static var null: Resolved { .json(.null) }
}
