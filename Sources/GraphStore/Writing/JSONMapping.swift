/// How JSON of another origin is read as objects of the schema.
///
/// ```swift
/// var mapping = JSONMapping()
/// mapping.keys["Person"] = ["full_name": "name"]
/// mapping.lists["Club.persons"] = .append
/// ```
public struct JSONMapping: Sendable, Hashable {
  /// What a list in the JSON does to the list that is stored.
  public enum ListRule: Sendable, Hashable {
    /// It takes its place.
    case replace
    /// It takes its place, and the objects that are in the list no more are deleted.
    case replaceDeletingOld
    /// Its objects are added after those that are there; what is there already stays in its place.
    case append
  }

  /// By type name: the names of fields by the keys that stand for them in the JSON. A key that is
  /// not listed is the field's own name; one that is no field is passed over.
  public var keys: [String: [String: String]]
  /// By type and field (`Club.persons`), for lists and for single objects alike, where `append`
  /// means nothing. `replace` for what is not listed.
  public var lists: [String: ListRule]

  /// A mapping of keys, and of how lists are merged.
  public init(keys: [String: [String: String]] = [:], lists: [String: ListRule] = [:]) {
    self.keys = keys
    self.lists = lists
  }
}

/// What happens to what is stored and not in the JSON.
public enum JSONWriteMode: Sendable, Hashable {
  /// It stays: fields of the objects as well as other objects.
  case upsert
  /// The objects at the top take the place of all objects of the type: other objects are deleted, and so are
  /// fields that the new data of an object does not have. Objects in their fields are updated.
  case replaceAll
}
