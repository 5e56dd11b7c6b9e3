import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Assembles the response to a query from records.
///
/// The recursion is as deep as the query's selection.
struct QueryReader {
  private enum Step {
    case field(GraphQL.StorageField)
    case index(Int)
  }

  private struct Place {
    let errors: [FieldErrors.Path: FieldErrors.Entry]
    var path: FieldErrors.Path = []
    /// The number of lists around the current value, other than in a page, see ``FieldErrors/Path``.
    var lists = 0
    var isInPage = false
  }

  let source: any RecordSource
  private(set) var missing: [[GraphQL.ResponsePathElement]] = []
  /// Every entity on which the response depends, whether it exists or not.
  private(set) var visited: Set<GraphQL.EntityKey> = []
  /// The parts of connections' heads on which the response depends; nil for a head of which all matters.
  private(set) var shapes: [GraphQL.EntityKey: [ConnectionShape]?] = [:]
  /// The current errors of fields of the response.
  private(set) var errors: [GraphQL.ResponseError] = []
  private(set) var bytes: [UInt8] = []
  private var path: [Step] = []
  private let known: FieldErrors
  /// The errors of the current entity, and the reader's position in it.
  private var place = Place(errors: [:])

  init(source: any RecordSource) throws(Graph.StoreError) {
    self.source = source
    known = try source.fieldErrors
  }

  /// Writes the entity `key` with the plan's selection.
  mutating func entity(
    _ key: GraphQL.EntityKey, _ plan: GraphQL.StoragePlan
  ) throws(Graph.StoreError) {
    visited.insert(key)
    guard let json = try source.record(key) else { return miss() }
    let outer = place
    place = Place(errors: known.isEmpty ? [:] : known[key])
    try object(
      JSONDocument.rootIndex, in: json, plan, typeName: key.typeName, partial: json.partialLists)
    place = outer
  }

  // Safe: the bytes are a literal of the program.
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// - Parameter partial: the storage keys of lists that are stored only in part.
  private mutating func object(
    _ object: Int, in json: JSONDocument, _ plan: GraphQL.StoragePlan, typeName: String,
    partial: [[UInt8]] = []
  ) throws(Graph.StoreError) {
    let check = GraphQL.StorageCheck(schema: source.schema, json: json)
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for field in plan.fields {
      if field.isPossible, json.member(field.storageKey, of: object) == nil { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: field.responseName)
      append("\":")
      if field.name == "__typename" {
        JSONWriter.appendString(self.typeName(of: object, in: json) ?? typeName, to: &bytes)
        continue
      }
      path.append(.field(field))
      let value = json.member(field.storageKey, of: object)
      let error = enter(field, hasValue: value != nil)
      if let value, !partial.contains(field.storageKey), check.accepts(value, field) {
        try append(value, in: json, field)
      } else if error, field.isNullable {
        append("null")
      } else {
        miss()
      }
      leave()
      path.removeLast()
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(
    _ value: Int, in json: JSONDocument, _ field: GraphQL.StorageField
  ) throws(Graph.StoreError) {
    switch json.kind(at: value) {
    case .array where field.isComposite:
      bytes.append(UInt8(ascii: "["))
      var element = json.firstChild(of: value)
      var ordinal = 0
      let end = json.end(of: value)
      while element < end {
        if ordinal > 0 { bytes.append(UInt8(ascii: ",")) }
        enter(ordinal, hasValue: !json.isNull(at: element))
        try append(element, in: json, field)
        leaveElement()
        ordinal += 1
        element = json.next(after: element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object where field.isComposite:
      if let key = GraphQL.StoredLink.key(at: value, in: json) {
        if key.isOfConnection { return try connection(key, field) }
        let check = GraphQL.StorageCheck(schema: source.schema, json: json)
        // The schema may have changed since the link was stored.
        guard check.allows(typeName: key.typeName, in: field) else { return miss() }
        try entity(key, field.plan { key.typeName })
      } else {
        let plan = field.plan(for: json, at: value)
        try object(value, in: json, plan, typeName: plan.typeName)
      }
    default:
      if field.isList, !place.errors.isEmpty { recordErrors(ofElementsIn: value, in: json) }
      // Safe: the document keeps the bytes valid during the call, which copies them.
      unsafe json.withSource(at: value) { unsafe bytes.append(contentsOf: $0) }
    }
  }

  private mutating func connection(
    _ key: GraphQL.EntityKey, _ field: GraphQL.StorageField
  ) throws(Graph.StoreError) {
    visited.insert(key)
    let reader = try ConnectionReader(
      key: ConnectionKey(head: key), schema: source.schema,
      load: { [source] key throws(Graph.StoreError) in try source.record(key) })
    guard var reader else { return miss() }
    let typeName = reader.typeName
    let selected = field.plan { typeName }.fields
    // A field such as `totalCount` does not belong to a page.
    let json =
      selected.contains { ConnectionPage.memberNames.contains($0.name) }
      ? try reader.page(field.page ?? GraphQL.Page()) : reader.withoutPage()
    visited.formUnion(reader.visited)
    if let shape = reader.shape, let others = shapes[key, default: []] {
      shapes[key] = others + [shape]
    } else {
      shapes[key] = .some(nil)
    }
    guard let json else { return miss() }
    let plan = field.plan(for: json, at: JSONDocument.rootIndex)
    place.isInPage = true
    try object(JSONDocument.rootIndex, in: json, plan, typeName: plan.typeName)
    place.isInPage = false
  }

  private func typeName(of object: Int, in json: JSONDocument) -> String? {
    guard let value = json.member("__typename", of: object), json.kind(at: value) == .string else {
      return nil
    }
    return json.string(at: value)
  }

  /// Enters a field of the entity, and records its error; true if there is one.
  private mutating func enter(_ field: GraphQL.StorageField, hasValue: Bool) -> Bool {
    guard !place.errors.isEmpty else { return false }
    place.path.append(ExactKey(String(decoding: field.storageKey, as: UTF8.self)))
    return recordError(hasValue: hasValue)
  }

  private mutating func leave() {
    if !place.errors.isEmpty { place.path.removeLast() }
  }

  /// Enters an element of a list, and records its error.
  private mutating func enter(_ ordinal: Int, hasValue: Bool) {
    path.append(.index(ordinal))
    guard !place.errors.isEmpty, !place.isInPage else { return }
    place.path.append(FieldErrors.step(ordinal))
    place.lists += 1
    _ = recordError(hasValue: hasValue)
  }

  private mutating func leaveElement() {
    path.removeLast()
    guard !place.errors.isEmpty, !place.isInPage else { return }
    place.path.removeLast()
    place.lists -= 1
  }

  /// Records the errors of nulls in a list of leaves.
  private mutating func recordErrors(ofElementsIn list: Int, in json: JSONDocument) {
    guard json.kind(at: list) == .array else { return }
    var element = json.firstChild(of: list)
    for ordinal in 0..<json.count(at: list) {
      enter(ordinal, hasValue: !json.isNull(at: element))
      recordErrors(ofElementsIn: element, in: json)
      leaveElement()
      element = json.next(after: element)
    }
  }

  /// Records the error at the current path; true if there is one.
  private mutating func recordError(hasValue: Bool) -> Bool {
    // A list was replaced as a whole, so an error in it never belongs to a value: the list has changed since.
    if hasValue, place.lists > 0 { return false }
    guard let entry = place.errors[place.path] else { return false }
    errors.append(
      GraphQL.ResponseError(
        message: entry.message, path: responsePath, extensions: entry.extensions))
    return true
  }

  /// Records that the value at the current path is not stored. A null keeps the text valid JSON.
  private mutating func miss() {
    append("null")
    missing.append(responsePath)
  }

  private var responsePath: [GraphQL.ResponsePathElement] {
    path.map { step in
      switch step {
      case .field(let field): .key(String(decoding: field.responseName, as: UTF8.self))
      case .index(let ordinal): .index(ordinal)
      }
    }
  }
}

extension RecordSource {
  func read<Root>(
    _ operation: GraphQL.Operation<Root>
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Root> {
    let planner = policies.makePlanner()
    guard operation._isQuery, let plan = planner.plan(of: operation) else {
      throw Graph.StoreError(
        .wrongSchema, "only a query of \(schema.name) can be read from the store")
    }
    var reader = try QueryReader(source: self)
    reader.append("{\"data\":")
    try reader.entity(GraphQL.EntityKey(typeName: plan.typeName, key: ""), plan)
    reader.append("}")
    extendLifetime(planner)
    return try response(reader) { try operation.response(from: $0, $1).data }
  }

  /// Reads the object with a key as a fragment.
  func read<Fragment: GraphQL.TypedFragment>(
    _ type: Fragment.Type, _ key: GraphQL.EntityKey, _ fragment: GraphQL.FragmentReader
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Fragment> {
    let planner = policies.makePlanner()
    guard let plan = planner.plan(fragment.selectionSet, ofType: key.typeName) else {
      throw Graph.StoreError(.notAnEntity, "\(schema.name) has no type \(key.typeName)")
    }
    var reader = try QueryReader(source: self)
    try reader.entity(key, plan)
    // The plan does not own its planner.
    extendLifetime(planner)
    return try response(reader) { try fragment.read(type, from: $0, typeName: key.typeName, $1) }
  }

  private func response<Value>(
    _ reader: QueryReader, _ read: ([UInt8], GraphQL.ResponseContext) throws -> Value?
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Value> {
    do {
      return Graph.StoredResponse(
        data: reader.missing.isEmpty
          ? try read(reader.bytes, GraphQL.ResponseContext(errors: reader.errors)) : nil,
        missing: reader.missing, errors: reader.errors, entities: reader.visited,
        shapes: reader.shapes.compactMapValues { $0 })
    } catch {
      // Every value was checked before, so this is a bug of the store.
      throw Graph.StoreError(
        .corrupt, "the stored response does not match the query: \(error)", cause: error)
    }
  }
}

extension Graph {
  /// The store's response to a query, or an object of the store as a fragment.
  public struct StoredResponse<Root: Sendable>: Sendable {
    /// The response, checked like a server's; nil if part of it is missing.
    public let data: Root?
    /// Response paths of values that are not in the store; empty if the response is complete. The path of an
    /// object that is read as a fragment is empty.
    public let missing: [[GraphQL.ResponsePathElement]]
    /// The errors that the server last reported for fields of the response, by their paths in it. A
    /// field with an error has its earlier value, or else null.
    public let errors: [GraphQL.ResponseError]
    /// Every entity on which the response depends, whether it is in the store or not.
    public let entities: Set<GraphQL.EntityKey>
    /// The parts of connections' heads on which the response depends. A change of another part of them does not affect it.
    let shapes: [GraphQL.EntityKey: [ConnectionShape]]
  }
}
