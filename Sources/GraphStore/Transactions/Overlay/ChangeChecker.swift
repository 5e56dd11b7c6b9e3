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
