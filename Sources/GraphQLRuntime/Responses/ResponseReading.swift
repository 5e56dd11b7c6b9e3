import GraphJSON

extension GraphQL {
  /// Reading by key path. Every response class adopts this protocol through ``AbstractResponse``.
  /// It is a protocol so that key paths begin at the concrete class.
  public protocol ResponseReading: AbstractResponse {}
}

extension GraphQL.AbstractResponse: GraphQL.ResponseReading {}

extension GraphQL.ResponseReading {
  /// Whether the response has the field that `keyPath` names, including a field that is null. Never
  /// stops the program.
  ///
  /// For a longer path, whether the response has every field on the path. If a field is null, the
  /// fields after it are not missing. False for a key path that is not a chain of fields.
  public func has<Value>(_ keyPath: KeyPath<Self, Value>) -> Bool {
    (try? GraphQL.FieldPath(keyPath)).map { locate($0).missing == nil } ?? false
  }

  /// The value that `keyPath` names.
  ///
  /// - Throws: ``GraphQL/MissingField`` when the response does not have the field,
  ///   ``GraphQL/OpaqueKeyPath`` when the key path is not a chain of fields.
  public func read<Value>(_ keyPath: KeyPath<Self, Value>) throws -> Value {
    if let missing = locate(try GraphQL.FieldPath(keyPath)).missing { throw missing }
    return self[keyPath: keyPath]
  }

  /// The value of a field that was selected with an alias.
  ///
  /// Stops the program when there is no such selection, as a plain accessor does.
  public func value<Value>(_ keyPath: KeyPath<Self, Value>, alias: String) -> Value {
    let view = Self(
      _handle: GraphQL.ResponseHandle(
        document: GraphQL.ResponseDocument(document, alias: alias), index: index))
    return view[keyPath: keyPath]
  }

  /// The text of a value as the server sent it: for strings and enums their contents; for anything
  /// else its JSON. Nil for null, and for a field that the response does not have.
  public func rawText<Value>(_ keyPath: KeyPath<Self, Value>) -> String? {
    guard let path = try? GraphQL.FieldPath(keyPath), let value = locate(path).value else {
      return nil
    }
    return switch value.json.kind(at: value.index) {
    case .null: nil
    case .string: value.json.string(at: value.index)
    default: String(decoding: value.json.source(at: value.index), as: UTF8.self)
    }
  }

  /// Follows a path from this object and returns the value's position, or the first missing field.
  /// A field that was not selected and has another type counts as missing.
  private func locate(
    _ path: GraphQL.FieldPath
  ) -> (value: GraphQL.ValueReader?, missing: GraphQL.MissingField?) {
    var object: GraphQL.AbstractResponse = self
    for (position, step) in path.steps.enumerated() {
      // A link leads to another document.
      let json = object.document.json
      let field = object.typeInfo?.field(step.name)
      guard let found = json.member(step.responseName, of: object.index),
        field.map({ GraphQL.LeafCheck(json).accepts(found, $0) }) ?? true,
        field.map({ object.reader(found).leads(to: $0) }) ?? true
      else { return (nil, object.missingField(step.name, step.alias)) }
      if position == path.steps.count - 1 { return (object.reader(found), nil) }
      guard json.kind(at: found) == .object else { return (nil, nil) }
      object = GraphQL.AbstractNesting.object(
        object.reader(found), type: field.flatMap { document.schema?.type(of: $0) })
    }
    return (nil, nil)
  }
}
