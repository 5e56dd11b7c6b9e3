import GraphJSON

extension GraphQL {
  /// One object of a response, for a ``ModelManager`` of your own.
  public struct EntityRecord: Sendable, Hashable {
    /// The object's key. The root of a query has the empty key.
    public let key: EntityKey
    /// The values in the response, as a JSON object: each field's name, with its arguments if it
    /// has any, and its value. An object with a key is a link, `{"&":"Product:1"}`; an object
    /// without one is part of its owner.
    public internal(set) var fields: JSON

    /// Creates a record.
    public init(key: EntityKey, fields: JSON) {
      self.key = key
      self.fields = fields
    }

    /// Merges the values of a later record into this one. An object without a key is merged field
    /// by field.
    public mutating func merge(_ later: EntityRecord) {
      fields = Self.merged(fields, later.fields)
    }

    /// As deep as the selections of operations.
    private static func merged(_ old: JSON, _ new: JSON) -> JSON {
      guard case .object(var members) = old, case .object(let added) = new,
        link(old) == nil, link(new) == nil
      else { return new }
      for member in added.members {
        members[member.key] = members[member.key].map { merged($0, member.value) } ?? member.value
      }
      return .object(members)
    }

    /// The key to which a value links; nil if it is not a link.
    public static func link(_ value: JSON) -> EntityKey? {
      guard case .object(let members) = value, members.count == 1,
        case .string(let text)? = members["&"]
      else { return nil }
      return EntityKey(text)
    }
  }
}

extension GraphQL.Operation {
  /// The objects of a response, each once, with the targets of links first.
  ///
  /// Values that an error made null are left out. Mutations and subscriptions have no record of
  /// their root. Empty for an operation without a schema.
  public func records(of response: GraphQL.Response<Root>) -> [GraphQL.EntityRecord] {
    guard let data = response.data, let schema = content.schema else { return [] }
    let planner = GraphQL.StoragePlanner(schema: schema, keys: [:])
    // Plans are created as the response needs them, by the planner to which they belong.
    defer { withExtendedLifetime(planner) {} }
    guard let plan = planner.plan(of: self) else { return [] }
    let (json, index) = data._stored
    var builder = RecordBuilder(
      json: json,
      errored: GraphQL.ErroredValues.positions(of: response.errors, in: json, data: index))
    let root = builder.object(index, plan)
    if _isQuery {
      builder.add(
        GraphQL.EntityRecord(
          key: GraphQL.EntityKey(typeName: plan.typeName, key: ""), fields: .object(root)))
    }
    return builder.records
  }

  /// The response to a query, assembled from records; nil if a selected value is missing.
  ///
  /// - Parameter record: the record's ``GraphQL/EntityRecord/fields``.
  public func answer(
    from record: (GraphQL.EntityKey) throws -> GraphQL.JSON?
  ) throws -> Root? {
    guard _isQuery, let schema = content.schema else { return nil }
    let planner = GraphQL.StoragePlanner(schema: schema, keys: [:])
    defer { withExtendedLifetime(planner) {} }
    guard let plan = planner.plan(of: self) else { return nil }
    let root = GraphQL.EntityKey(typeName: plan.typeName, key: "")
    let assembled = try withoutActuallyEscaping(record) { record in
      try AnswerAssembler(record: record).entity(root, plan)
    }
    guard let data = assembled else { return nil }
    var writer = JSONWriter()
    writer.value(["data": data])
    return try response(from: writer.finish()).data
  }
}

/// Splits a response. The recursion is as deep as the operation's selection.
private struct RecordBuilder {
  let json: JSONDocument
  let errored: Set<Int>
  private(set) var records: [GraphQL.EntityRecord] = []
  private var positions: [GraphQL.EntityKey: Int] = [:]

  init(json: JSONDocument, errored: Set<Int>) {
    self.json = json
    self.errored = errored
  }

  mutating func add(_ record: GraphQL.EntityRecord) {
    if let position = positions[record.key] { return records[position].merge(record) }
    positions[record.key] = records.count
    records.append(record)
  }

  mutating func object(_ object: Int, _ plan: GraphQL.StoragePlan) -> JSONObject {
    var fields = JSONObject()
    if plan.isObjectType { fields["__typename"] = .string(plan.typeName) }
    for field in plan.fields where !field.isTypename {
      let found = json.member(field.responseName, of: object)
      guard let found, !errored.contains(found) else { continue }
      fields[String(decoding: field.storageKey, as: UTF8.self)] = value(found, field)
    }
    return fields
  }

  private mutating func value(_ value: Int, _ field: GraphQL.StorageField) -> JSON {
    switch json.kind(at: value) {
    case .object where field.isComposite:
      let plan = field.plan(for: json, at: value)
      let fields = JSON.object(object(value, plan))
      guard let key = plan.key(of: json, at: value) else { return fields }
      add(GraphQL.EntityRecord(key: key, fields: fields))
      return ["&": .string(key.description)]
    case .array where field.isComposite:
      var elements: [JSON] = []
      var element = json.firstChild(of: value)
      while element < json.end(of: value) {
        elements.append(self.value(element, field))
        element = json.next(after: element)
      }
      return .array(elements)
    default: return json.json(at: value)
    }
  }
}

/// Assembles a response. The recursion is as deep as the operation's selection.
private struct AnswerAssembler {
  let record: (GraphQL.EntityKey) throws -> JSON?

  func entity(_ key: GraphQL.EntityKey, _ plan: GraphQL.StoragePlan) throws -> JSON? {
    guard case .object(let fields)? = try record(key) else { return nil }
    return try object(fields, plan, typeName: key.typeName)
  }

  private func object(
    _ stored: JSONObject, _ plan: GraphQL.StoragePlan, typeName: String
  ) throws -> JSON? {
    var object = JSONObject()
    for field in plan.fields {
      let name = String(decoding: field.responseName, as: UTF8.self)
      guard !field.isTypename else {
        object[name] = .string(typeName)
        continue
      }
      guard let found = stored[String(decoding: field.storageKey, as: UTF8.self)],
        let value = try value(found, field)
      else { return nil }
      object[name] = value
    }
    return .object(object)
  }

  private func value(_ value: JSON, _ field: GraphQL.StorageField) throws -> JSON? {
    switch value {
    case .object(let fields) where field.isComposite:
      if let key = GraphQL.EntityRecord.link(value) {
        return try entity(key, field.plan { key.typeName })
      }
      let name: String? = if case .string(let name)? = fields["__typename"] { name } else { nil }
      let plan = field.plan { name }
      return try object(fields, plan, typeName: name ?? plan.typeName)
    case .array(let elements) where field.isComposite:
      var values: [JSON] = []
      for element in elements {
        guard let value = try self.value(element, field) else { return nil }
        values.append(value)
      }
      return .array(values)
    default: return value
    }
  }
}

extension GraphQL.AbstractResponse {
  /// The object over a record, for a ``GraphQL/ModelManager`` of your own. Values are checked when
  /// they are read: one that does not have its field's type is missing.
  ///
  /// - Parameters:
  ///   - record: the ``GraphQL/EntityRecord/fields`` of the object.
  ///   - target: the fields of an object to which a link leads; nil if it was deleted.
  public static func object(
    from record: GraphQL.JSON,
    following target: @escaping @Sendable (GraphQL.EntityKey) -> GraphQL.JSON? = { _ in nil }
  ) -> Self? {
    guard case .object = record else { return nil }
    var writer = JSONWriter()
    writer.value(record)
    guard let json = try? JSONDocument(parsing: writer.finish()) else { return nil }
    return _stored(json, links: RecordLinks(target: target))
  }
}

private final class RecordLinks: GraphQL.StoredLinks {
  private let target: @Sendable (GraphQL.EntityKey) -> JSON?

  init(target: @escaping @Sendable (GraphQL.EntityKey) -> JSON?) { self.target = target }

  func target(of index: Int, in json: JSONDocument) -> JSONDocument? {
    guard let key = GraphQL.StoredLink.key(at: index, in: json) else { return nil }
    var writer = JSONWriter()
    // A deleted object has only its type.
    writer.value(target(key) ?? ["__typename": .string(key.typeName)])
    return try? JSONDocument(parsing: writer.finish())
  }
}
