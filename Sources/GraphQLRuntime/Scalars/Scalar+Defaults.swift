import GraphJSON

extension GraphQL.Scalar {
  public static func _read(_ reader: GraphQL.ValueReader) -> Self? {
    try? Self(scalar: reader.json.json(at: reader.index))
  }

  public static var _plainText: GraphQL.PlainText? { nil }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Self { placeholder }

  public func _write(to writer: inout GraphQL.ValueWriter) { scalar._write(to: &writer) }
}

extension GraphQL.JSON {
  /// The text of a string, or a mismatch that names the expected form.
  func text(_ expected: String) throws(GraphQL.ScalarMismatch) -> String {
    guard case .string(let text) = self else {
      throw GraphQL.ScalarMismatch(expected: "\(expected) in a string")
    }
    return text
  }
}
