import GraphJSON

extension GraphQL.ResponseReading {
  /// The value of a field of a stored object that was selected with arguments.
  ///
  /// ```swift
  /// let images = try product.value(\.images, arguments: ["first": 3])
  /// ```
  ///
  /// A plain read returns the value that was stored without arguments.
  ///
  /// - Parameters:
  ///   - keyPath: one field.
  ///   - arguments: every argument with which the field was selected, as it is sent; for a
  ///     connection, without those that select a page. `[:]` is the value without arguments.
  /// - Throws: ``GraphQL/MissingField`` when the object has no such value,
  ///   ``GraphQL/OpaqueKeyPath`` when the key path is not one field.
  public func value<Value>(
    _ keyPath: KeyPath<Self, Value>, arguments: GraphQL.JSON
  ) throws -> Value {
    let path = try GraphQL.FieldPath(keyPath)
    guard let step = path.steps.first, path.steps.count == 1, step.alias == nil else {
      throw GraphQL.OpaqueKeyPath(reason: "it is not one field")
    }
    let json = document.json
    let key = arguments == [:] ? step.name : GraphQL.StorageKey.text(step.name, arguments)
    guard let value = json.member(key, of: index) else {
      throw missingField(step.name, nil)
    }
    // The value on its own, under the name that the accessor reads.
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(step.name)
    writer.fragment(of: json, at: value)
    writer.endObject()
    let single = try JSONDocument(parsing: writer.finish())
    let view = Self(
      _handle: GraphQL.ResponseHandle(
        document: GraphQL.ResponseDocument(
          GraphQL.RecordSource(json: single, links: document.links), schema: document.schema),
        index: JSONDocument.rootIndex))
    // The target of a link may have been deleted.
    return try view.read(keyPath)
  }
}
