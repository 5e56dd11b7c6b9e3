import GraphJSON

extension GraphQL {
  /// A field that the response does not have, because the operation did not select it, or left it
  /// out with `@skip` or `@include`.
  public struct MissingField: Error, Hashable, Sendable, CustomStringConvertible {
    /// The object's type.
    public let typeName: String
    /// The field's name in the schema.
    public let fieldName: String
    /// The object's path in `data`.
    public let path: [ResponsePathElement]
    /// Whether the field was selected under `@skip` or `@include`.
    public let isConditional: Bool
    /// The field's `alias:`, if any.
    let alias: String?

    public var description: String {
      let place = path.isEmpty ? "at the root" : "at `\(path.text)`"
      // The name of its method in Swift may differ, and is not known here.
      let field = "`\(fieldName)`" + (alias.map { " with `alias: \"\($0)\"`" } ?? "")
      return isConditional
        ? "\(typeName).\(fieldName) \(place) was left out by @skip or @include; check `has` first"
        : "\(typeName).\(fieldName) \(place) was not selected; select the field \(field) there"
    }
  }
}

extension GraphQL.AbstractResponse {
  /// Handles an accessor whose field is missing, or was not selected and has another type: records
  /// the field for a probe, stops the program otherwise.
  @inline(never)
  final func missing<Value>(
    _ name: StaticString, _ alias: String?, placeholder: (GraphQL.ProbeContext) -> Value,
    same: @escaping @Sendable (Value, Value) -> Bool
  ) -> Value {
    if let probe = document.probe {
      return probe.read("\(name)", alias ?? document.alias, placeholder, same)
    }
    let missing = missingField("\(name)", alias ?? document.alias)
    if missing.isConditional, let absent = GraphQL.absent(Value.self) { return absent }
    fatalError(missing.description)
  }

  /// The same for a value whose type determines the value that a probe finds.
  @inline(never)
  final func missing<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String?
  ) -> Value {
    missing(name, alias) {
      Value._placeholder($0)
    } same: {
      Value._same($0, $1)
    }
  }

  final func missingField(_ name: String, _ alias: String?) -> GraphQL.MissingField {
    let responseName = alias.map { "\(name)__\($0)" } ?? name
    let path = document.path(to: index)
    return GraphQL.MissingField(
      typeName: __typename, fieldName: name, path: path,
      isConditional: document.selects(responseName, at: path), alias: alias)
  }
}

extension GraphQL {
  /// Nil for an optional type: the value of a field that `@skip` or `@include` left out.
  fileprivate static func absent<Value>(_ type: Value.Type) -> Value? {
    (type as? any OptionalValue.Type)?.absent as? Value
  }
}
