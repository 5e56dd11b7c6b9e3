import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Checks a change against the schema, and splits it by objects.
struct ChangeChecker {
  let policies: Policies
  let planner: GraphQL.StoragePlanner
  /// The object of a queued operation; nil if there is no such object.
  let object: GraphQL.EntityKey?
  /// Whether there is an object with a key.
  let isKnown: (GraphQL.EntityKey) throws(Graph.StoreError) -> Bool

  private var schema: GraphQL.SchemaTable { policies.schema }

  func check(_ change: Graph.StoreChange) throws(Graph.StoreError) -> CheckedChange {
    var checked = CheckedChange()
    for step in change.steps {
      switch step {
      case .create(let target, let fields):
        try append(key(target), fields, isNew: true, to: &checked)
      case .update(let target, let fields):
        try append(key(target), fields, isNew: false, to: &checked)
      case .delete(let target):
        let key = try key(target)
        guard policies.isEntity(key.typeName) else {
          throw Graph.StoreError(
            .notAnEntity, "\(key.typeName) is not an object type with a key")
        }
        checked.steps.append(.delete(key))
      case .edit(let edit, let list):
        checked.steps.append(.edit(edit, list, isConnection: try isConnection(list, edit)))
      case .invalid(let problem): throw Graph.StoreError(.invalidChange, problem)
      }
    }
    return checked
  }

  private func key(
    _ target: Graph.StoreChange.Target
  ) throws(Graph.StoreError) -> GraphQL.EntityKey {
    if case .key(let key) = target { return key }
    guard let object else {
      throw Graph.StoreError(
        .invalidChange,
        "the change does not name its object; pass the object or its EntityKey before the fields")
    }
    return object
  }

  private func append(
    _ key: GraphQL.EntityKey, _ fields: GraphQL.JSON, isNew: Bool, to checked: inout CheckedChange
  ) throws(Graph.StoreError) {
    var maker = PatchMaker(policies: policies, planner: planner, isKnown: isKnown)
    for (key, step) in try maker.patches(of: key, fields, isNew: isNew) {
      checked.steps.append(.fields(key, step))
    }
  }

  /// Whether a list is a connection.
  ///
  /// - Throws: `invalidChange` for a list that the schema does not have, or that cannot contain the object.
  private func isConnection(
    _ list: Graph.StoredList, _ edit: ListEdit
  ) throws(Graph.StoreError) -> Bool {
    let name = "\(list.owner.typeName).\(list.field)"
    guard policies.mayHaveRow(list.owner.typeName, key: list.owner.key),
      let plan = planner.plan(ofType: list.owner.typeName)
    else {
      throw Graph.StoreError(
        .invalidChange,
        "`\(name)` is not a list of a stored object: \(list.owner.typeName) is neither a type with a key "
          + "nor the root of queries")
    }
    guard let position = plan.position(of: Array(list.field.utf8)),
      let elements = schema.elementTypeNames(
        ofField: list.field, of: list.owner.typeName,
        isConnection: plan.fields[position].page != nil)
    else {
      throw Graph.StoreError(
        .invalidChange, "`\(name)` is not a list of objects, and not a connection")
    }
    guard elements.contains(edit.key.typeName), policies.isEntity(edit.key.typeName) else {
      throw Graph.StoreError(
        .invalidChange,
        "`\(name)` has no objects of \(edit.key.typeName), or these have no key")
    }
    if case .ordered(let path, _) = edit.place, OrderedField(of: edit, schema) == nil {
      throw Graph.StoreError(
        .invalidChange,
        "`\(name)` cannot be ordered by `\(edit.key.typeName).\(path)`, which is not a field with a value "
          + "that can be compared")
    }
    return plan.fields[position].page != nil
  }
}

/// Splits the expected fields of an object into patches of it and of the objects in its fields.
///
/// The recursion is as deep as the parser allows.
struct PatchMaker {
  let policies: Policies
  let planner: GraphQL.StoragePlanner
  /// Whether there is an object with a key.
  let isKnown: (GraphQL.EntityKey) throws(Graph.StoreError) -> Bool
  private var found: [(key: GraphQL.EntityKey, patch: OverlayPatch.Step)] = []
  /// How long the current entity may be kept, by its type.
  private var keeping = Graph.TypePolicy.Persistence.transient

  init(
    policies: Policies, planner: GraphQL.StoragePlanner,
    isKnown: @escaping (GraphQL.EntityKey) throws(Graph.StoreError) -> Bool
  ) {
    self.policies = policies
    self.planner = planner
    self.isKnown = isKnown
  }

  mutating func patches(
    of key: GraphQL.EntityKey, _ fields: JSON, isNew: Bool
  ) throws(Graph.StoreError) -> [(key: GraphQL.EntityKey, patch: OverlayPatch.Step)] {
    guard let plan = planner.plan(ofType: key.typeName), plan.keyFields != nil else {
      throw Graph.StoreError(.notAnEntity, "\(key.typeName) is not an object type with a key")
    }
    guard case .object(let given) = fields,
      case .object(var members) = policies.placeholder(for: key).json(at: JSONDocument.rootIndex)
    else { throw Graph.StoreError(.invalidJSON, "the expected fields are not an object") }
    if let name = given["__typename"], name != .string(key.typeName) {
      throw Graph.StoreError(
        .invalidJSON, "the expected fields give an object of \(key.typeName) another `__typename`")
    }
    for member in given.members { members[member.key] = member.value }
    let json: JSONDocument
    do {
      json = try JSONDocument(parsing: Array(JSON.object(members).description.utf8))
    } catch {
      throw Graph.StoreError(.invalidJSON, "\(error)", cause: error)
    }
    var translator = JSONTranslator(json: json, mapping: Graph.JSONMapping())
    let objects = try translator.translate(plan)
    if let unknown = translator.unknownField {
      throw Graph.StoreError(
        .invalidJSON, "the schema has no field `\(unknown)`, which an optimistic change contains")
    }
    // `translate` returns as many objects as it gets, here one.
    let object = objects.objectsAtTop[0]
    let check = GraphQL.StorageCheck(schema: policies.schema, json: objects)
    if let problem = check.problem(of: object, typeName: key.typeName) {
      throw Graph.StoreError(.invalidJSON, "\(problem)", cause: problem)
    }
    guard plan.key(of: objects, at: object) == key else {
      throw Graph.StoreError(.invalidJSON, "the expected fields belong to another object")
    }
    try entity(object, in: objects, plan, key, isNew ? .create : .update)
    return found
  }

  private mutating func entity(
    _ index: Int, in json: JSONDocument, _ plan: GraphQL.StoragePlan, _ key: GraphQL.EntityKey,
    _ effect: OverlayPatch.Effect
  ) throws(Graph.StoreError) {
    var bytes = plan.opening
    let outer = keeping
    keeping = policies.policy(ofType: key.typeName).persistence ?? .persistent
    try appendMembers(of: index, in: json, plan, to: &bytes)
    keeping = outer
    bytes.append(UInt8(ascii: "}"))
    guard let content = JSONDocument(record: bytes) else {
      throw Graph.StoreError(
        .invalidJSON, "the expected fields of \(plan.typeName) cannot be stored as a record")
    }
    found.append((key, OverlayPatch.Step(effect: effect, content: content)))
  }

  private mutating func appendMembers(
    of object: Int, in json: JSONDocument, _ plan: GraphQL.StoragePlan, to bytes: inout [UInt8]
  ) throws(Graph.StoreError) {
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      if let position = plan.position(of: Array(json.string(at: key).utf8)),
        !plan.fields[position].isTypename
      {
        let field = plan.fields[position]
        guard field.page == nil || json.kind(at: value) != .object else {
          throw Graph.StoreError(
            .invalidJSON,
            "`\(plan.typeName).\(field.name)` is stored page by page, so an optimistic change cannot "
              + "contain its pages")
        }
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes += field.member
        try append(value, in: json, field, to: &bytes)
      }
      key = json.next(after: value)
    }
  }

  private mutating func append(
    _ value: Int, in json: JSONDocument, _ field: GraphQL.StorageField, to bytes: inout [UInt8]
  ) throws(Graph.StoreError) {
    switch json.kind(at: value) {
    case .array where field.isComposite:
      bytes.append(UInt8(ascii: "["))
      var element = json.firstChild(of: value)
      let end = json.end(of: value)
      while element < end {
        if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
        try append(element, in: json, field, to: &bytes)
        element = json.next(after: element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object where field.isComposite:
      let plan = field.plan(for: json, at: value)
      guard let key = plan.key(of: json, at: value) else {
        guard policies.mayEmbed(plan.typeName, in: keeping) else {
          throw Graph.StoreError(
            .invalidJSON,
            "the policy of \(plan.typeName) does not allow storing its objects as long as their owner"
          )
        }
        bytes.append(UInt8(ascii: "{"))
        try appendMembers(of: value, in: json, plan, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return
      }
      // An object with only its key is a reference.
      let names = plan.keyFields.map(\.count) ?? 0
      if json.count(at: value) - (json.member("__typename", of: value) == nil ? 0 : 1) > names {
        try entity(value, in: json, plan, key, try isKnown(key) ? .update : .create)
      }
      GraphQL.StoredLink.append(key, to: &bytes)
    default: bytes += json.source(at: value)
    }
  }
}
