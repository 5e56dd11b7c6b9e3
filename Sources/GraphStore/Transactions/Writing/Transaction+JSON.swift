import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Stores objects from JSON of any origin: one object, or a list of them, with their contents.
  ///
  /// Known objects are updated by their key, and new ones are created. One without a key, of a type
  /// with one key field, gets a new UUID. A member that is not a field of the schema is ignored; a
  /// value that does not have its field's type is an error, and nothing is written.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - type: the generated class of the top-level objects.
  ///   - mode: what happens to objects of the type that are not at the top level of the JSON.
  /// - Returns: the result of the write; its `roots` are the keys of the top-level objects, in
  ///   order.
  /// - Throws: ``StoreError``: `invalidJSON`, `notAnEntity`.
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping()
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    try write(json: json, typeName: policies.typeName(of: type), mode: mode, mapping: mapping)
  }

  /// Stores objects from JSON of any origin, like `write(json:as:)`, if no class is generated for them.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - typeName: the name of the top-level objects' type in the schema: an object type.
  ///   - mode: what happens to objects of the type that are not at the top level of the JSON.
  /// - Returns: the result of the write; its `roots` are the keys of the top-level objects, in
  ///   order.
  /// - Throws: ``StoreError``: `invalidJSON`, `notAnEntity`.
  @discardableResult
  public func write(
    json: [UInt8], typeName: String, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping()
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    try checkOpen()
    guard schema.type(named: typeName)?.kind == .object else {
      throw Graph.StoreError(
        .notAnEntity, "\(typeName) is not an object type of \(schema.name)")
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: json)
    } catch {
      throw Graph.StoreError(.invalidJSON, "\(error)", cause: error)
    }
    guard let plan = planner.plan(ofType: typeName) else {
      throw Graph.StoreError(.notAnEntity, "there is no type \(typeName)")
    }
    var translator = JSONTranslator(json: document, mapping: mapping)
    let objects = try translator.translate(plan)
    return try write(objects, plan, mode: mode, lists: mapping.lists)
  }

  private func write(
    _ json: JSONDocument, _ plan: GraphQL.StoragePlan, mode: Graph.JSONWriteMode,
    lists: [String: Graph.JSONMapping.ListRule]
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    let typeName = plan.typeName
    let check = GraphQL.StorageCheck(schema: schema, json: json)
    let top = json.objectsAtTop
    // All objects are checked before the first one is stored.
    var roots: [GraphQL.EntityKey] = []
    roots.reserveCapacity(top.count)
    for object in top {
      if let problem = check.problem(of: object, typeName: typeName) {
        throw Graph.StoreError(.invalidJSON, "\(problem)", cause: problem)
      }
      guard let key = plan.key(of: json, at: object) else {
        throw Graph.StoreError(.notAnEntity, "an object of \(typeName) has no key")
      }
      roots.append(key)
    }
    var normalizer = Normalizer(json: json, transaction: self, lists: lists)
    if mode == .replaceAll {
      for key in Set(roots) { try normalizer.empty(entityState(of: key)) }
    }
    for (object, key) in zip(top, roots) { try normalizer.entity(object, plan, key) }
    let outcome = try normalizer.finish()
    var summary = outcome.summary
    summary.roots = roots
    var gone = outcome.dropped
    if mode == .replaceAll {
      let kept = Set(summary.roots)
      try forEachRecord(ofType: typeName) { key, _ throws(Graph.StoreError) in
        let key = GraphQL.EntityKey(typeName: typeName, key: key)
        if !kept.contains(key) { gone.append(key) }
        return true
      }
    }
    if !gone.isEmpty { summary.deleted = try delete(gone) }
    return summary
  }
}

extension Graph {
  /// The effect of a write on stored data that is not in the JSON.
  public enum JSONWriteMode: Sendable, Hashable {
    /// It stays: fields of the objects as well as other objects.
    case upsert
    /// The top-level objects replace all objects of the type: other objects are deleted, and so are
    /// fields that the new data of an object does not have. Objects in their fields are updated.
    case replaceAll
  }
}

/// Rewrites JSON of another origin as objects of the schema: with the fields' own names, without
/// members that are not fields, and with a new key for an entity without one.
///
/// The recursion is as deep as the parser allows.
struct JSONTranslator {
  let json: JSONDocument
  let mapping: Graph.JSONMapping
  private var writer = JSONWriter()
  /// The first member that is not a field and was left out, as `Type.member`.
  private(set) var unknownField: String?

  init(json: JSONDocument, mapping: Graph.JSONMapping) {
    self.json = json
    self.mapping = mapping
  }

  /// The top-level objects, one or a list of them; the JSON itself if nothing has to be rewritten.
  mutating func translate(_ plan: GraphQL.StoragePlan) throws(Graph.StoreError) -> JSONDocument {
    if mapping.keys.isEmpty, isPlain(plan) { return json }
    let root = JSONDocument.rootIndex
    writer.beginArray()
    switch json.kind(at: root) {
    case .object: object(root, plan)
    case .array:
      var element = json.firstChild(of: root)
      while element < json.end(of: root) {
        guard json.kind(at: element) == .object else {
          throw Graph.StoreError(.invalidJSON, "an element of the list is not an object")
        }
        object(element, plan)
        element = json.next(after: element)
      }
    default:
      throw Graph.StoreError(.invalidJSON, "the JSON is neither an object nor a list of objects")
    }
    writer.endArray()
    do {
      return try JSONDocument(parsing: writer.finish())
    } catch {
      throw Graph.StoreError(.invalidJSON, "\(error)", cause: error)
    }
  }

  private mutating func object(_ object: Int, _ plan: GraphQL.StoragePlan) {
    let names = mapping.keys[plan.typeName] ?? [:]
    var members: [(name: String, value: Int, field: GraphQL.StorageField?)] = []
    var places: [String: Int] = [:]
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      let text = json.string(at: key)
      let name = names[text] ?? text
      let position = plan.position(of: Array(name.utf8))
      if name == "__typename" || position != nil,
        !(json.isNull(at: value) && isOnlyKey(name, plan))
      {
        // If two members have the same name, the last one counts, as in the rest of the store.
        if let place = places[name] {
          members[place].value = value
        } else {
          places[name] = members.count
          members.append((name, value, position.map { plan.fields[$0] }))
        }
      } else if position == nil, unknownField == nil {
        unknownField = "\(plan.typeName).\(name)"
      }
      key = json.next(after: value)
    }
    writer.beginObject()
    for (name, value, field) in members {
      writer.key(name)
      self.value(value, field)
    }
    if let name = onlyKey(plan), places[name] == nil {
      writer.key(name)
      writer.string(UUID().uuidString)
    }
    writer.endObject()
  }

  private mutating func value(_ value: Int, _ field: GraphQL.StorageField?) {
    guard let field, field.isComposite else { return writer.fragment(of: json, at: value) }
    switch json.kind(at: value) {
    case .array:
      writer.beginArray()
      var element = json.firstChild(of: value)
      let end = json.end(of: value)
      while element < end {
        self.value(element, field)
        element = json.next(after: element)
      }
      writer.endArray()
    case .object: object(value, field.plan(for: json, at: value))
    default: writer.fragment(of: json, at: value)
    }
  }

  private func isOnlyKey(_ name: String, _ plan: GraphQL.StoragePlan) -> Bool {
    onlyKey(plan) == name
  }

  /// The field that can get a new key.
  private func onlyKey(_ plan: GraphQL.StoragePlan) -> String? {
    plan.onlyKey.map { String(decoding: $0, as: UTF8.self) }
  }
}

// Most JSON has the schema's own names, and a key in every object.
extension JSONTranslator {
  /// Whether nothing has to be rewritten.
  private func isPlain(_ plan: GraphQL.StoragePlan) -> Bool {
    let root = JSONDocument.rootIndex
    switch json.kind(at: root) {
    case .object: return isPlain(object: root, plan)
    case .array:
      return elements(of: root) { json.kind(at: $0) == .object && isPlain(object: $0, plan) }
    default: return false
    }
  }

  private func isPlain(object: Int, _ plan: GraphQL.StoragePlan) -> Bool {
    var next = 0
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      if let position = plan.position(ofKeyAt: key, in: json, from: next) {
        guard isPlain(value, plan.fields[position]) else { return false }
        next = position + 1
      } else if json.string(at: key) != "__typename" {
        return false
      }
      key = json.next(after: value)
    }
    guard let name = plan.onlyKey else { return true }
    return json.member(name, of: object).map { !json.isNull(at: $0) } ?? false
  }

  private func isPlain(_ value: Int, _ field: GraphQL.StorageField) -> Bool {
    guard field.isComposite else { return true }
    switch json.kind(at: value) {
    case .array: return elements(of: value) { isPlain($0, field) }
    case .object: return isPlain(object: value, field.plan(for: json, at: value))
    default: return true
    }
  }

  /// Whether all elements of a list satisfy a condition.
  private func elements(of list: Int, _ condition: (Int) -> Bool) -> Bool {
    var element = json.firstChild(of: list)
    let end = json.end(of: list)
    while element < end {
      guard condition(element) else { return false }
      element = json.next(after: element)
    }
    return true
  }
}

extension GraphQL.StoragePlan {
  /// The response name of the key field, if objects have exactly one.
  fileprivate var onlyKey: [UInt8]? {
    guard isObjectType, let keyFields, keyFields.count == 1 else { return nil }
    return keyFields[0]
  }
}

extension JSONDocument {
  /// The positions of the top-level objects: the root, or its elements if it is a list.
  var objectsAtTop: [Int] {
    let root = JSONDocument.rootIndex
    guard kind(at: root) == .array else { return [root] }
    var elements: [Int] = []
    elements.reserveCapacity(count(at: root))
    var element = firstChild(of: root)
    while element < end(of: root) {
      elements.append(element)
      element = next(after: element)
    }
    return elements
  }
}
