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
