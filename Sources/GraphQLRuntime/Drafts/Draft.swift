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

/// The field of a draft that a key path leads to.
struct DraftField {
  let path: GraphQL.FieldPath
  private let schema: GraphQL.SchemaTable?
  /// The type with the last field of the path; nil without a schema.
  private let owner: GraphQL.TypeInfo?
  /// The position of the first field on the path that is a list, if there is one before the last field.
  private let listPosition: Int?

  init(_ path: GraphQL.FieldPath, of type: GraphQL.AbstractResponse.Type) {
    self.path = path
    schema = type.schema
    var owner = schema?.type(of: type)
    var listPosition: Int?
    for (position, step) in path.steps.dropLast().enumerated() {
      let field = owner?.field(step.name)
      if let field, listPosition == nil, !field.type.wrapping.isSingle { listPosition = position }
      owner = field.flatMap { type.schema?.type(of: $0) }
    }
    self.owner = owner
    self.listPosition = listPosition
  }

  /// The value that nil writes: null, or none if the field is not nullable.
  var null: JSON? {
    let field = path.steps.last.flatMap { owner?.field($0.name) }
    return field?.type.isNonNull == true ? nil : .null
  }

  /// Checks that the path does not lead through a list, whose elements have no names.
  func checkPath() throws(GraphQL.SchemaViolation) {
    guard let listPosition else { return }
    let list = path.steps[listPosition]
    throw GraphQL.SchemaViolation(
      typeName: owner?.name ?? "", fieldName: responseName, path: problemPath,
      message: "the path leads through the list `\(list.responseName)`; write the list as a whole")
  }

  /// The path with which the problems of its values begin.
  var problemPath: [GraphQL.ResponsePathElement] { path.steps.map { .key($0.responseName) } }

  private var responseName: String { path.steps.last?.responseName ?? "" }

  /// The JSON of a value.
  func json(of value: Any) throws(GraphQL.SchemaViolation) -> JSON {
    var writer = GraphQL.FieldsWriter(typeName: owner?.name ?? "")
    do {
      return try JSON(parsing: try writer.bytes(of: value))
    } catch let problem as GraphQL.SchemaViolation {
      throw placed(problem)
    } catch {
      throw placed(writer.violation("\(error)"))
    }
  }

  /// Checks that a value has the type of the field.
  func check(_ value: JSON) throws(GraphQL.SchemaViolation) {
    guard let schema, let owner else { return }
    if path.steps.last?.name == "__typename" {
      guard case .string(let name) = value, schema.possibleTypes(of: owner).contains(name) else {
        throw placed(
          GraphQL.SchemaViolation(
            typeName: owner.name, fieldName: "__typename", path: [],
            message: "\(value) is not the name of an object type of \(owner.name)"))
      }
      return
    }
    do {
      let text = JSON.object([responseName: value]).description
      let json = try JSONDocument(parsing: text)
      var checker = GraphQL.FieldsChecker(json, schema: schema)
      try checker.check(JSONDocument.rootIndex, type: owner)
    } catch let problem as GraphQL.SchemaViolation {
      throw GraphQL.SchemaViolation(
        typeName: problem.typeName, fieldName: problem.fieldName,
        path: path.steps.dropLast().map { .key($0.responseName) } + problem.path,
        message: problem.message)
    } catch {
      throw placed(
        GraphQL.SchemaViolation(
          typeName: owner.name, fieldName: responseName, path: [], message: "\(error)"))
    }
  }

  /// The problem of a value, with the path to it.
  ///
  /// - Parameter index: of the element that has the problem, if the value is a list.
  func placed(
    _ problem: GraphQL.SchemaViolation, at index: Int? = nil
  ) -> GraphQL.SchemaViolation {
    GraphQL.SchemaViolation(
      typeName: problem.typeName,
      fieldName: problem.fieldName.isEmpty ? responseName : problem.fieldName,
      path: problemPath + (index.map { [.index($0)] } ?? []) + problem.path,
      message: problem.message)
  }
}

extension JSON.Object {
  /// The object with nothing but the value at the end of a path, and the types on it, so that a value of a large object
  /// is read without the others; nil if there is no such value.
  func part(with steps: ArraySlice<GraphQL.FieldPath.Step>) -> JSON.Object? {
    guard let step = steps.first, let value = self[step.responseName] else { return nil }
    var part = JSON.Object()
    part["__typename"] = self["__typename"]
    if steps.count == 1 {
      part[step.responseName] = value
    } else if case .object(let object) = value, let below = object.part(with: steps.dropFirst()) {
      part[step.responseName] = .object(below)
    } else {
      return nil
    }
    return part
  }

  /// Replaces or removes a value. Objects on the path are created when there is a value to write.
  mutating func write(_ value: JSON?, at steps: ArraySlice<GraphQL.FieldPath.Step>) {
    guard let step = steps.first else { return }
    let name = step.responseName
    guard steps.count > 1 else { return self[name] = value }
    var below: JSON.Object
    if case .object(let object)? = self[name] {
      below = object
    } else if value != nil {
      below = JSON.Object()
    } else {
      return
    }
    below.write(value, at: steps.dropFirst())
    self[name] = .object(below)
  }
}
