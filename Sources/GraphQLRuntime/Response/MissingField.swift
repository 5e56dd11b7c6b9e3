extension GraphQL {
  /// A field that the response does not have, because the operation did not select it, or left it
  /// out with `@skip` or `@include`.
  public struct MissingField: Error, Hashable, Sendable, CustomStringConvertible {
    /// The object's type.
    public let typeName: String
    /// The field's name in the schema.
    public let fieldName: String
    /// The object's place in `data`.
    public let path: [ResponsePathElement]
    /// The field was selected under `@skip` or `@include`.
    public let isConditional: Bool
    let alias: String?

    public var description: String {
      let place = path.isEmpty ? "at the root" : "at `\(path.text)`"
      let call = alias.map { ".\(fieldName)(alias: \"\($0)\")" } ?? ".\(fieldName)()"
      return isConditional
        ? "\(typeName).\(fieldName) \(place) was left out by @skip or @include; ask `has` first"
        : "\(typeName).\(fieldName) \(place) was not selected; add `\(call)` to the selection there"
    }
  }
}

extension GraphQL.AbstractResponse {
  /// What an accessor does when the response has no such field: notes it for a probe, stops
  /// otherwise.
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

  final func missingField(_ name: String, _ alias: String?) -> GraphQL.MissingField {
    let responseName = alias.map { "\(name)__\($0)" } ?? name
    let path = document.path(to: index)
    return GraphQL.MissingField(
      typeName: __typename, fieldName: name, path: path,
      isConditional: document.selects(responseName, at: path), alias: alias)
  }
}

extension GraphQL {
  /// Nil for an optional type: what a field left out by `@skip` or `@include` reads as.
  fileprivate static func absent<Value>(_ type: Value.Type) -> Value? {
    (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value
  }
}

extension GraphQL.ResponseDocument {
  /// Whether the operation has a selection of `responseName` at the object with that path.
  fileprivate func selects(
    _ responseName: String, at path: [GraphQL.ResponsePathElement]
  ) -> Bool {
    guard let operation else { return false }
    var sets = [operation.selectionSet]
    for case .key(let key) in path {
      sets = sets.flatMap { $0.fields(key) }.compactMap(\.selectionSet)
    }
    return sets.contains { !$0.fields(responseName).isEmpty }
  }
}

extension GraphQL.SelectionSet {
  /// The fields of a response name, here and in the fragments.
  fileprivate func fields(_ responseName: String) -> [Field] {
    entries.flatMap { entry -> [Field] in
      switch entry {
      case .field(let field): field.responseName == responseName ? [field] : []
      case .inlineFragment(_, _, let set): set.fields(responseName)
      case .spread(let fragment, _): fragment.selectionSet.fields(responseName)
      }
    }
  }
}
