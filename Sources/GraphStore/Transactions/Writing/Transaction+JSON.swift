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
