extension GraphQL {
  /// The `ID` scalar: an opaque identifier (specification: 3.5.5 ID).
  public struct ID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The identifier as it was received and is sent.
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
      rawValue = value
    }

    public var description: String { rawValue }
  }
}

extension GraphQL.ID: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.string(rawValue) }
}
