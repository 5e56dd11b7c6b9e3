import GraphJSON

extension GraphQL {
  /// The `ID` scalar: an opaque identifier (specification: 3.5.5 ID).
  ///
  /// IDs are equal if their bytes are, as for GraphQL servers. Swift's own comparison of strings
  /// ignores Unicode's normal forms.
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

    public static func == (left: ID, right: ID) -> Bool {
      left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Whether the bytes differ; the standard library's own for raw values compares strings.
    public static func != (left: ID, right: ID) -> Bool { !(left == right) }

    public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }

    public var description: String { rawValue }
  }
}

extension GraphQL.ID: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.string(rawValue) }
}
