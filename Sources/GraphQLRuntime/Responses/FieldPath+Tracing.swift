import GraphJSON

extension GraphQL.FieldPath {
  /// Finds the fields that `keyPath` reads.
  ///
  /// - Throws: ``GraphQL/OpaqueKeyPath`` when it is not one chain of fields.
  public init<Root: GraphQL.AbstractResponse, Value>(
    _ keyPath: KeyPath<Root, Value>
  ) throws(GraphQL.OpaqueKeyPath) {
    let first = try Self.trace(keyPath, GraphQL.Probe(schema: Root.schema, variant: .first))
    let second = try Self.trace(keyPath, GraphQL.Probe(schema: Root.schema, variant: .second))
    guard first == second else {
      throw GraphQL.OpaqueKeyPath(reason: "it reads different fields for different values")
    }
    steps = first
  }

  static func trace<Root: GraphQL.AbstractResponse, Value>(
    _ keyPath: KeyPath<Root, Value>, _ probe: GraphQL.Probe
  ) throws(GraphQL.OpaqueKeyPath) -> [Step] {
    let root = Root(
      _handle: GraphQL.ResponseHandle(
        document: probe.document(node: 0), index: JSONDocument.rootIndex))
    let value = root[keyPath: keyPath]
    let log = probe.takeLog()
    guard let last = log.last else {
      throw GraphQL.OpaqueKeyPath(reason: "it does not read a field")
    }
    for (node, read) in log.enumerated() where read.parent != node {
      throw GraphQL.OpaqueKeyPath(reason: "it reads more than one field")
    }
    guard last.isPlaceholder(value) else {
      throw GraphQL.OpaqueKeyPath(reason: "its value is computed from `\(last.step.name)`")
    }
    // `vendor ?? ""` returns the same value if there is a vendor, but with another type.
    guard Value.self == last.valueType || value is (any GraphQL.OptionalValue) else {
      throw GraphQL.OpaqueKeyPath(reason: "its value is computed from `\(last.step.name)`")
    }
    return log.map(\.step)
  }
}
