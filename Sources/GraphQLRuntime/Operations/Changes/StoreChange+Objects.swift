import GraphJSON

extension Graph.StoreChange {
  /// Creates an object with these fields and its key, or changes the fields of an existing one.
  ///
  /// A query whose list contains the object is complete only if the object has all fields that the query
  /// selects.
  ///
  /// - Parameter object: its key, such as a `Graph.TemporaryKey` if the server has not assigned one yet.
  public static func create(
    _ object: some GraphQL.ObjectReference, _ fields: GraphQL.JSON
  ) -> Self {
    Self(object) { .create(.key($0), fields) }
  }

  /// Changes these fields of an object. If the store does not have the object, nothing is created.
  public static func update(
    _ object: some GraphQL.ObjectReference, _ fields: GraphQL.JSON
  ) -> Self {
    Self(object) { .update(.key($0), fields) }
  }

  /// Deletes an object. Its type's delete rules apply to its relations, except `deny`. Every list loses it.
  public static func delete(_ object: some GraphQL.ObjectReference) -> Self {
    Self(object) { .delete(.key($0)) }
  }
}

// The object for which an outbox queues the operation. Elsewhere, these changes are errors.
extension Graph.StoreChange {
  /// Creates the object of a queued operation with these fields and its key.
  public static func create(_ fields: GraphQL.JSON) -> Self { Self([.create(.object, fields)]) }

  /// Changes these fields of the object of a queued operation. If the store does not have the object,
  /// nothing is created.
  public static func update(_ fields: GraphQL.JSON) -> Self { Self([.update(.object, fields)]) }

  /// Deletes the object of a queued operation.
  public static let delete = Self([.delete(.object)])
}
