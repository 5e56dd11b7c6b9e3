extension GraphQL {
  /// A response that is not of the schema's types, or not what the operation asked for.
  public struct SchemaViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type whose field is concerned.
    public let typeName: String
    /// The field's name in the schema; empty when the object as a whole is concerned.
    public let fieldName: String
    /// Where in `data`.
    public let path: [ResponsePathElement]
    /// What was expected and what was found, without the value itself.
    public let message: String

    public var description: String {
      let place = path.isEmpty ? "data" : path.text
      let coordinate = fieldName.isEmpty ? typeName : "\(typeName).\(fieldName)"
      return "\(place): \(coordinate): \(message)"
    }
  }
}
