import GraphJSON
import GraphQLRuntime
import GraphStorage

// The edits of a plain list are a patch of the record with the list. Those of a connection are a patch of its
// head, and of a key without a row, at which a connection that arrives later finds them.

extension Graph.Transaction {
  /// Expects an edit of lists.
  func overlay(
    _ edit: ListEdit, _ list: Graph.StoredList, isConnection: Bool, at place: ChangePlace
  ) throws(Graph.StoreError) {
    guard var step = OverlayPatch.Step(edit, list) else { return }
    step.order = place.order
    let change = place.change
    guard isConnection else {
      guard !isInFile(list.owner) || !policies.isTransient(edit.key.typeName) else {
        throw Graph.StoreError(
          .invalidChange,
          "objects of \(edit.key.typeName) are not written to the file, so a queued operation cannot add "
            + "them to `\(list.owner.typeName).\(list.field)`, which is")
      }
      return try expect(step, of: entityState(of: list.owner), by: change)
    }
    try addStep(step, to: entityState(of: ConnectionKey.edits(of: list)), by: change)
    for head in try connections(list) {
      let state = try entityState(of: head)
      if state.json != nil || state.overlay != nil { try addStep(step, to: state, by: change) }
    }
  }

  /// Adds the edits of a list to a connection that was not stored when they were expected.
  func applyEdits(toNewConnection state: EntityState) throws(Graph.StoreError) {
    let key = ConnectionKey(head: state.key)
    guard let owner = key.owner, let storageKey = key.storageKey, state.json?.isHead == true else {
      return
    }
    let any = Graph.StoredList(
      owner: owner, field: GraphQL.StorageKey.fieldName(storageKey), arguments: .all)
    guard let overlay = try entityState(of: ConnectionKey.edits(of: any)).overlay else { return }
    for patch in overlay.patches where state.overlay?[patch.change] == nil {
      for step in patch.steps {
        guard let (_, list) = step.edit(of: owner), list.includes(storageKey) else { continue }
        try addStep(step, to: state, by: patch.change)
      }
    }
  }

  /// Edits lists as an operation has done that the server has carried out. The other sides of relations follow.
  func apply(executed edits: [ExecutedEdit]) throws(Graph.StoreError) {
    for edit in edits.sorted(by: { $0.order < $1.order }) where !received.contains(edit.list) {
      if edit.isOfConnection {
        for head in try connections(edit.list) { try self.edit(head, edit.edit) }
      } else {
        try modify(edit.list, by: [edit.edit])
      }
    }
  }
}

/// An edit of a list that an operation was expected to make.
struct ExecutedEdit {
  let edit: ListEdit
  let list: Graph.StoredList
  let isOfConnection: Bool
  /// See ``OverlayPatch/Step/order``.
  let order: Int

  /// Those in the patch of an entity. Those of a connection are read at the key that has no row, and not at the head
  /// as well.
  static func all(of key: GraphQL.EntityKey, _ patch: OverlayPatch) -> [ExecutedEdit] {
    let connection = key.isOfConnection ? ConnectionKey(head: key) : nil
    guard connection?.storageKey == nil, let owner = connection.map(\.owner) ?? key else {
      return []
    }
    return patch.steps.filter { !$0.isDerived }.compactMap { step in
      step.edit(of: owner).map { edit, list in
        ExecutedEdit(edit: edit, list: list, isOfConnection: connection != nil, order: step.order)
      }
    }
  }
}
