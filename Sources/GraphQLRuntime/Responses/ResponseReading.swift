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

extension GraphQL.ResponseReading {
  /// The value of a field of a stored object that was selected with arguments.
  ///
  /// ```swift
  /// let images = try product.value(\.images, arguments: ["first": 3])
  /// ```
  ///
  /// A plain read returns the value that was stored without arguments.
  ///
  /// - Parameters:
  ///   - keyPath: one field.
  ///   - arguments: every argument with which the field was selected, as it is sent; for a
  ///     connection, without those that select a page. `[:]` is the value without arguments.
  /// - Throws: ``GraphQL/MissingField`` when the object has no such value,
  ///   ``GraphQL/OpaqueKeyPath`` when the key path is not one field.
  public func value<Value>(
    _ keyPath: KeyPath<Self, Value>, arguments: GraphQL.JSON
  ) throws -> Value {
    let path = try GraphQL.FieldPath(keyPath)
    guard let step = path.steps.first, path.steps.count == 1, step.alias == nil else {
      throw GraphQL.OpaqueKeyPath(reason: "it is not one field")
    }
    let json = document.json
    let key = arguments == [:] ? step.name : GraphQL.StorageKey.text(step.name, arguments)
    guard let value = json.member(key, of: index) else {
      throw missingField(step.name, nil)
    }
    // The value on its own, under the name that the accessor reads.
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(step.name)
    writer.fragment(of: json, at: value)
    writer.endObject()
    let single = try JSONDocument(parsing: writer.finish())
    let view = Self(
      _handle: GraphQL.ResponseHandle(
        document: GraphQL.ResponseDocument(
          GraphQL.RecordSource(json: single, links: document.links), schema: document.schema),
        index: JSONDocument.rootIndex))
    // The target of a link may have been deleted.
    return try view.read(keyPath)
  }
}

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
