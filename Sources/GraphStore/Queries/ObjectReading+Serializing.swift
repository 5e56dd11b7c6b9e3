import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph {
  /// How the JSON of an object represents the objects to which it leads.
  public enum JSONRelations: Sendable, Hashable {
    /// By the fields of their keys: `"club":{"id":"1"}`.
    case keys
    /// With their own fields, to the given depth; then by their keys. Objects that lead back to an
    /// enclosing one are also written by their keys.
    case nested(depth: Int)
  }
}

extension Graph.ObjectReading {
  /// The JSON of a stored object, in the form that ``Transaction/write(json:as:mode:mapping:)``
  /// reads; nil if there is no such object.
  ///
  /// It has the stored fields, in the order in which they arrived. Values that were selected with
  /// arguments are the server's view of the object, and are left out.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func json(
    of type: GraphQL.AbstractResponse.Type, key: String, relations: Graph.JSONRelations = .keys
  ) throws(Graph.StoreError) -> GraphQL.JSON? {
    let key = try _reader.policies.key(type, key)
    return try _reader.reading.withRecords { source throws(Graph.StoreError) in
      guard let record = try source.record(key) else { return nil }
      var serializer = ObjectSerializer(source: source, relations: relations)
      return .object(try serializer.entity(key, JSONDocument.rootIndex, in: record))
    }
  }

  /// The JSON of the stored values that differ from `earlier`, with the fields of the key: what a
  /// mutation has to send to the server after an edit. nil if there are none, or there is no such
  /// object.
  ///
  /// `earlier` is the snapshot for comparison: an object of the store, or of a response, that was
  /// read before the edit. It does not change, so it keeps the server's values. Fields that
  /// `earlier` does not have count as changed; relations are compared by the keys of their objects.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func changes<Object: GraphQL.AbstractResponse>(
    of type: Object.Type, key: String, since earlier: Object
  ) throws(Graph.StoreError) -> GraphQL.JSON? {
    let key = try _reader.policies.key(type, key)
    return try _reader.reading.withRecords { source throws(Graph.StoreError) in
      guard let record = try source.record(key) else { return nil }
      var serializer = ObjectSerializer(source: source, relations: .keys)
      let now = try serializer.entity(key, JSONDocument.rootIndex, in: record)
      let (json, index) = earlier._stored
      let before = try serializer.entity(key, index, in: json)
      let keyFields = source.policies.policy(ofType: key.typeName).key ?? []
      var changes = JSON.Object()
      var isChanged = false
      for member in now.members {
        let differs = before[member.key] != member.value
        if differs || keyFields.contains(member.key) { changes[member.key] = member.value }
        isChanged = isChanged || differs
      }
      return isChanged ? .object(changes) : nil
    }
  }
}

/// Writes objects as JSON: by the names of fields, and with relations as specified.
///
/// The recursion is as deep as the parser allows, times the depth of relations.
struct ObjectSerializer {
  private let source: any RecordSource
  private let planner: GraphQL.StoragePlanner
  private var depth: Int
  /// The entities that enclose the current one.
  private var outer: Set<GraphQL.EntityKey> = []

  init(source: any RecordSource, relations: Graph.JSONRelations) {
    self.source = source
    planner = source.policies.makePlanner()
    depth = if case .nested(let depth) = relations { depth } else { 0 }
  }

  mutating func entity(
    _ key: GraphQL.EntityKey, _ index: Int, in json: JSONDocument
  ) throws(Graph.StoreError) -> JSON.Object {
    guard let plan = planner.plan(ofType: key.typeName) else { return JSON.Object() }
    outer.insert(key)
    defer { outer.remove(key) }
    return try object(index, in: json, plan)
  }

  private mutating func object(
    _ object: Int, in json: JSONDocument, _ plan: GraphQL.StoragePlan
  ) throws(Graph.StoreError) -> JSON.Object {
    var members = JSON.Object()
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      let name = json.string(at: key)
      // A storage key with arguments is not the name of a field.
      if let position = plan.position(of: Array(name.utf8)), name != "__typename" {
        members[name] = try self.value(value, in: json, plan.fields[position])
      }
      key = json.next(after: value)
    }
    return members
  }

  private mutating func value(
    _ value: Int, in json: JSONDocument, _ field: GraphQL.StorageField
  ) throws(Graph.StoreError) -> JSON {
    switch json.kind(at: value) {
    case .array where field.isComposite:
      var elements: [JSON] = []
      var element = json.firstChild(of: value)
      let end = json.end(of: value)
      while element < end {
        elements.append(try self.value(element, in: json, field))
        element = json.next(after: element)
      }
      return .array(elements)
    case .object where field.isComposite:
      if let key = GraphQL.StoredLink.key(at: value, in: json) { return try related(key, field) }
      let plan = field.plan(for: json, at: value)
      // An object of a response contains its fields itself.
      if let key = plan.key(of: json, at: value) { return try related(key, field) }
      return .object(typed(try object(value, in: json, plan), plan.typeName, field))
    default: return json.json(at: value)
    }
  }

  private mutating func related(
    _ key: GraphQL.EntityKey, _ field: GraphQL.StorageField
  ) throws(Graph.StoreError) -> JSON {
    if key.isOfConnection, let json = try source.connection(key) {
      let plan = field.plan(for: json, at: JSONDocument.rootIndex)
      return .object(
        typed(try object(JSONDocument.rootIndex, in: json, plan), plan.typeName, field))
    }
    if depth > 0, !outer.contains(key), let record = try source.record(key) {
      depth -= 1
      defer { depth += 1 }
      return .object(
        typed(try entity(key, JSONDocument.rootIndex, in: record), key.typeName, field))
    }
    let placeholder = source.policies.placeholder(for: key)
    guard case .object(var members) = placeholder.json(at: JSONDocument.rootIndex) else {
      return .null
    }
    members["__typename"] = nil
    return .object(typed(members, key.typeName, field))
  }

  /// If the field may have objects of several types, the JSON contains the type.
  private func typed(
    _ members: JSON.Object, _ typeName: String, _ field: GraphQL.StorageField
  ) -> JSON.Object {
    guard field.isAbstract else { return members }
    var typed: JSON.Object = ["__typename": .string(typeName)]
    for member in members.members { typed[member.key] = member.value }
    return typed
  }
}
