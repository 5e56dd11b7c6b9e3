extension Graph {
  /// How JSON of another origin is read as objects of the schema.
  ///
  /// ```swift
  /// var mapping = Graph.JSONMapping()
  /// mapping.keys["Person"] = ["full_name": "name"]
  /// mapping.lists["Club.persons"] = .append
  /// ```
  public struct JSONMapping: Sendable, Hashable {
    /// How a list in the JSON changes the stored list.
    public enum ListRule: Sendable, Hashable {
      /// It replaces the stored list.
      case replace
      /// It replaces the stored list, and objects that are no longer in the list are deleted.
      case replaceDeletingOld
      /// Its objects are added after the existing ones; existing objects keep their position.
      case append
    }

    /// By type name: the names of fields by their keys in the JSON. A key that is not listed is the
    /// field's own name; a key that is not a field is ignored.
    public var keys: [String: [String: String]]
    /// By type and field (`Club.persons`), for lists and for single objects alike; for the latter,
    /// `append` has no effect. `replace` for fields that are not listed.
    public var lists: [String: ListRule]

    /// A mapping of keys, and of how lists are merged.
    public init(keys: [String: [String: String]] = [:], lists: [String: ListRule] = [:]) {
      self.keys = keys
      self.lists = lists
    }
  }
}
