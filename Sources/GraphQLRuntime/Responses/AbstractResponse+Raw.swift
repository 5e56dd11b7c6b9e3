import GraphJSON

extension GraphQL.AbstractResponse {
  /// The value under a response name, without checks by the compiler; nil for null and for a field
  /// that the response does not have.
  ///
  /// A string, an `Int`, `Double` or `Bool`, a ``GraphQL/ID``, the text of an enum, the Swift
  /// type of a custom scalar, an ``GraphQL/AbstractResponse`` of the generated class, or an array
  /// of such values with `NSNull` for null. Without a schema, the type follows from the JSON.
  public final func field(_ responseName: String) -> Any? {
    guard let index = document.json.member(responseName, of: index),
      !document.json.isNull(at: index)
    else { return nil }
    return GraphQL.RawValue(schema: document.schema)
      .value(reader(index), typeInfo?.field(named: responseName))
  }

  /// Creates an object from fields: for previews, tests and values from other sources.
  ///
  /// - Parameter fields: response names and values: results of ``field(_:)`` and
  ///   `JSONSerialization`, and all values that can be sent as arguments; at most 128 levels deep.
  /// - Throws: ``GraphQL/SchemaViolation`` for a field that the type does not have, for a value of
  ///   another type, and for a value that is not JSON.
  public convenience init(fields: [String: Any]) throws(GraphQL.SchemaViolation) {
    var writer = GraphQL.FieldsWriter(
      typeName: Self.schema?.type(of: Self.self)?.name ?? "\(Self.self)")
    self.init(
      _handle: try GraphQL.ResponseHandle(checking: try writer.bytes(fields), as: Self.self))
  }
}
