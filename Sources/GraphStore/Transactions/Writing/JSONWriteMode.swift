extension Graph {
  /// The effect of a write on stored data that is not in the JSON.
  public enum JSONWriteMode: Sendable, Hashable {
    /// It stays: fields of the objects as well as other objects.
    case upsert
    /// The top-level objects replace all objects of the type: other objects are deleted, and so are
    /// fields that the new data of an object does not have. Objects in their fields are updated.
    case replaceAll
  }
}
