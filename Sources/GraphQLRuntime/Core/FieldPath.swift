import GraphJSON

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

    /// Finds the fields that `keyPath` reads.
    ///
    /// - Throws: ``OpaqueKeyPath`` when it is not one chain of fields.
    public init<Root: AbstractResponse, Value>(
      _ keyPath: KeyPath<Root, Value>
    ) throws(OpaqueKeyPath) {
      let first = try Self.trace(keyPath, Probe(schema: Root.schema, variant: .first))
      let second = try Self.trace(keyPath, Probe(schema: Root.schema, variant: .second))
      guard first == second else {
        throw OpaqueKeyPath(reason: "it reads different fields for different values")
      }
      steps = first
    }

    static func trace<Root: AbstractResponse, Value>(
      _ keyPath: KeyPath<Root, Value>, _ probe: Probe
    ) throws(OpaqueKeyPath) -> [Step] {
      let root = Root(
        _handle: ResponseHandle(
          document: probe.document(node: 0), index: JSONDocument.rootIndex))
      let value = root[keyPath: keyPath]
      let log = probe.takeLog()
      guard let last = log.last else { throw OpaqueKeyPath(reason: "it reads no field") }
      for (node, read) in log.enumerated() where read.parent != node {
        throw OpaqueKeyPath(reason: "it reads more than one field")
      }
      guard last.isPlaceholder(value) else {
        throw OpaqueKeyPath(reason: "its value is computed from `\(last.step.name)`")
      }
      // `vendor ?? ""` returns the same value if there is a vendor, but with another type.
      guard Value.self == last.valueType || value is (any OptionalValue) else {
        throw OpaqueKeyPath(reason: "its value is computed from `\(last.step.name)`")
      }
      return log.map(\.step)
    }
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
