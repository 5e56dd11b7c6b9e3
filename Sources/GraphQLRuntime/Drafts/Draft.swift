import GraphJSON

extension GraphQL {
  /// An object that is being written: values of some of its fields, by the properties of its generated class.
  ///
  /// ```swift
  /// var draft = GraphQL.Draft<Storefront.Product>()
  /// draft[\.title] = "Straw hat"
  /// draft[\.priceRange.min.amount] = 12
  /// let product = try Storefront.Product(draft)
  /// ```
  ///
  /// One form for previews and tests, the fixtures of a mock endpoint, writes to a store and optimistic changes. The
  /// compiler checks the types of values, and the draft checks the rest against the schema, such as a null in a list. A
  /// value with a problem is not written: the problem is in ``problems``, and using the draft throws it.
  ///
  /// Fields have no arguments: a value that a query selects with arguments is written under the field's name.
  public struct Draft<Object: AbstractResponse>: Hashable, Sendable {
    /// The values by the names of fields.
    private(set) var members = JSON.Object()
    /// The values that could not be written, in their order.
    public private(set) var problems: [SchemaViolation] = []

    /// A draft without values.
    public init() {}

    /// A draft that `body` fills.
    public init(_ body: (inout Draft) throws -> Void) rethrows { try body(&self) }

    /// The values as JSON, by the names of fields.
    public var json: GraphQL.JSON { .object(members) }

    /// The name of the object's type.
    package var typeName: String { Object.schema?.type(of: Object.self)?.name ?? "\(Object.self)" }
  }
}

extension GraphQL.Draft {
  /// A draft with the values of an object of a response, under their response names. A stored object has a
  /// draft of its own: the store's `draft(of:key:)`.
  ///
  /// - Throws: ``GraphQL/SchemaViolation`` for an object of a store.
  public init(editing object: Object) throws(GraphQL.SchemaViolation) {
    guard object.document.links == nil else {
      throw GraphQL.SchemaViolation(
        typeName: object.__typename, fieldName: "", path: [],
        message: "it is an object of a store; use the store's draft(of:key:)")
    }
    try self.init(json: object.document.json.json(at: object.index))
  }

  /// A draft with values by the names of fields.
  ///
  /// - Throws: ``GraphQL/SchemaViolation`` for a field that the type does not have, and for a value of another type.
  public init(json: GraphQL.JSON) throws(GraphQL.SchemaViolation) {
    _ = try GraphQL.ResponseHandle(checking: json, as: Object.self)
    if case .object(let members) = json { self.members = members }
  }

  /// The values; throws the first of the ``problems``.
  package func checked() throws(GraphQL.SchemaViolation) -> JSON.Object {
    if let problem = problems.first { throw problem }
    return members
  }
}

extension GraphQL.Draft: Codable {
  /// - Throws: `EncodingError` for a draft with ``problems``, which would be lost.
  public func encode(to encoder: any Encoder) throws {
    if let problem = problems.first {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "the draft has a problem: \(problem)",
          underlyingError: problem))
    }
    try json.encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GraphQL.SchemaViolation) {
      try self.init(json: json)
    } catch {
      throw DecodingError.dataCorrupted(error, in: decoder)
    }
  }
}

// Reading and writing by key path, for the subscripts.
extension GraphQL.Draft {
  /// The value of the field that a key path leads to; nil if the draft has none.
  func value<Value>(at path: KeyPath<Object, Value>) -> Value? {
    // The values were checked when they were written, and those with a problem were not written.
    guard let steps = try? GraphQL.FieldPath(path).steps, let part = members.part(with: steps[...]),
      let object = try? Object(responseJSON: .object(part)), object.has(path)
    else { return nil }
    return object[keyPath: path]
  }

  /// The JSON of the field that a key path leads to; nil if the draft has none.
  func json<Value>(at path: KeyPath<Object, Value>) -> JSON? {
    guard let path = try? GraphQL.FieldPath(path) else { return nil }
    return path.steps.reduce(.object(members) as JSON?) { $0?[$1.responseName] }
  }

  /// - Parameter value: nil to remove the field's value.
  mutating func write<Value>(_ value: Any?, at path: KeyPath<Object, Value>) {
    write(path) { field throws(GraphQL.SchemaViolation) in
      guard let value else { return nil }
      return try field.json(of: value)
    }
  }

  /// Writes a value, or keeps its problem. The problem of the value that it replaces is removed.
  mutating func write<Value>(
    _ path: KeyPath<Object, Value>,
    _ value: (DraftField) throws(GraphQL.SchemaViolation) -> JSON?
  ) {
    let field: DraftField
    do throws(GraphQL.OpaqueKeyPath) {
      field = DraftField(try GraphQL.FieldPath(path), of: Object.self)
    } catch {
      problems.append(
        GraphQL.SchemaViolation(typeName: typeName, fieldName: "", path: [], message: "\(error)"))
      return
    }
    problems.removeAll { $0.path.starts(with: field.problemPath) }
    do throws(GraphQL.SchemaViolation) {
      try field.checkPath()
      let json = try value(field)
      if let json { try field.check(json) }
      members.write(json, at: field.path.steps[...])
    } catch {
      problems.append(error)
    }
  }

  /// A draft of an object that was checked; empty if it is none.
  init(unchecked json: JSON?) {
    if case .object(let members)? = json { self.members = members }
  }
}

extension GraphQL.Draft {
  /// The value of a field: `draft[\.title]`, also of an object in it: `draft[\.priceRange.min.amount]`. nil if the
  /// draft has no value for it; setting nil removes the value. Objects on the path are created.
  ///
  /// An object is given as one that another draft or a response has: `draft[\.owner] = try Shop(shop)`.
  @_disfavoredOverload
  public subscript<Value>(path: KeyPath<Object, Value>) -> Value? {
    get { value(at: path) }
    set { write(newValue, at: path) }
  }

  /// The value of a nullable field; nil if it is null, and if the draft has no value for it. Setting nil writes null,
  /// or removes the value of a non-null field in a nullable object; ``remove(_:)`` always removes it.
  @_disfavoredOverload
  public subscript<Value>(path: KeyPath<Object, Value?>) -> Value? {
    get { value(at: path) ?? nil }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.json(of: newValue)
      }
    }
  }

  /// The value of a field, or `defaultValue` if the draft has none. For bindings of views:
  /// `TextField("Title", text: $draft[\.title, default: ""])`.
  public subscript<Value>(
    path: KeyPath<Object, Value>, default defaultValue: @autoclosure () -> Value
  ) -> Value {
    get { value(at: path) ?? defaultValue() }
    set { write(newValue, at: path) }
  }

  /// Whether the draft has a value for the field, null included.
  public func has<Value>(_ path: KeyPath<Object, Value>) -> Bool { json(at: path) != nil }

  /// Removes the value of a field.
  public mutating func remove<Value>(_ path: KeyPath<Object, Value>) { write(nil, at: path) }
}

extension GraphQL.Draft {
  /// The object of a field, as a draft: `draft[\.priceRange][\.min] = …`. It is empty if the draft has none.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, Nested>
  ) -> GraphQL.Draft<Nested> {
    get { GraphQL.Draft(unchecked: json(at: path)) }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in try field.json(of: newValue) }
    }
  }

  /// The object of a nullable field, as a draft; nil if it is null, and if the draft has none. Setting nil writes null.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, Nested?>
  ) -> GraphQL.Draft<Nested>? {
    get { json(at: path).flatMap { $0 == .null ? nil : GraphQL.Draft(unchecked: $0) } }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.json(of: newValue)
      }
    }
  }

  /// The objects of a list, as drafts: `draft[\.options].append(option)`. Empty if the draft has no value for it.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested]>
  ) -> [GraphQL.Draft<Nested>] {
    get { drafts(json(at: path)) ?? [] }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in try field.list(of: newValue) }
    }
  }

  /// The objects of a nullable list, as drafts; nil if it is null, and if the draft has no value for it.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested]?>
  ) -> [GraphQL.Draft<Nested>]? {
    get { drafts(json(at: path)) }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.list(of: newValue)
      }
    }
  }

  /// The objects of a list with nullable elements, as drafts; nil for a null element. Empty if the draft has no value
  /// for the list.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested?]>
  ) -> [GraphQL.Draft<Nested>?] {
    get { nullableDrafts(json(at: path)) ?? [] }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in try field.list(of: newValue) }
    }
  }

  /// The objects of a nullable list with nullable elements, as drafts; nil for a null element. nil if the list is null,
  /// and if the draft has no value for it.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested?]?>
  ) -> [GraphQL.Draft<Nested>?]? {
    get { nullableDrafts(json(at: path)) }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.list(of: newValue)
      }
    }
  }

  private func drafts<Nested>(_ json: JSON?) -> [GraphQL.Draft<Nested>]? {
    guard case .array(let elements)? = json else { return nil }
    return elements.map { GraphQL.Draft(unchecked: $0) }
  }

  private func nullableDrafts<Nested>(_ json: JSON?) -> [GraphQL.Draft<Nested>?]? {
    guard case .array(let elements)? = json else { return nil }
    return elements.map { $0 == .null ? nil : GraphQL.Draft(unchecked: $0) }
  }
}

extension DraftField {
  fileprivate func json<Nested>(
    of draft: GraphQL.Draft<Nested>
  ) throws(GraphQL.SchemaViolation) -> JSON {
    if let problem = draft.problems.first { throw placed(problem) }
    return draft.json
  }

  fileprivate func list<Nested>(
    of drafts: [GraphQL.Draft<Nested>?]
  ) throws(GraphQL.SchemaViolation) -> JSON {
    var elements: [JSON] = []
    for (index, draft) in drafts.enumerated() {
      if let problem = draft?.problems.first { throw placed(problem, at: index) }
      elements.append(draft?.json ?? .null)
    }
    return .array(elements)
  }
}

extension GraphQL.ResponseReading {
  /// The object with the values of a draft, for previews and tests. Reading a field that the draft does not have stops
  /// the program, as for a response; a `MockEndpoint` of GraphTesting can complete it.
  ///
  /// - Throws: ``GraphQL/SchemaViolation``: the first problem of the draft.
  public init(_ draft: GraphQL.Draft<Self>) throws(GraphQL.SchemaViolation) {
    self.init(
      _handle: try GraphQL.ResponseHandle(
        checking: .object(try draft.checked()), as: Self.self))
  }
}
