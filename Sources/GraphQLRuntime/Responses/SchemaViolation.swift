extension GraphQL {
  /// A response that does not match the schema's types or the operation.
  public struct SchemaViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type with the affected field.
    public let typeName: String
    /// The field's name in the schema; empty if the whole object is affected.
    public let fieldName: String
    /// The path in `data`.
    public let path: [ResponsePathElement]
    /// The expected and the actual form, without the value itself.
    public let message: String

    public var description: String {
      let place = path.isEmpty ? "data" : path.text
      let coordinate = fieldName.isEmpty ? typeName : "\(typeName).\(fieldName)"
      return "\(place): \(coordinate): \(message)"
    }
  }
}
