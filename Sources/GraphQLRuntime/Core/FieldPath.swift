extension GraphQL {
  /// The fields that a key path of generated accessors reads: `\.price.amount` is `price.amount`.
  ///
  /// Swift cannot inspect a key path, so it is applied to a probe whose fields record that they are
  /// read. Anything other than a chain of fields down to one unchanged value (a computed property
  /// of your own, an index into a list) is ``OpaqueKeyPath``.
  ///
  /// A key path with a list index past 4,095 stops the program, as it would on a real list.
  public struct FieldPath: Hashable, Sendable, CustomStringConvertible {
    /// One field of the path.
    public struct Step: Hashable, Sendable {
      /// The field's name in the schema.
      public let name: String
      /// The `alias:` with which the field was selected, if any.
      public let alias: String?

      /// The key in a response.
      public var responseName: String { alias.map { "\(name)__\($0)" } ?? name }
    }

    /// At least one.
    public let steps: [Step]

    public var description: String { steps.map(\.responseName).joined(separator: ".") }
  }

  /// A key path that is not a chain of generated accessors.
  public struct OpaqueKeyPath: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation of the key path that is not a field.
    public let reason: String

    public var description: String {
      "the key path is not a path of fields: \(reason); use a chain of generated properties"
    }
  }
}
