import GraphJSON
import GraphQLRuntime
import GraphStorage

// An expected change of one side of a relation has steps for the other side. They depend on the state before the
// change: which club a person leaves is known only then. When an earlier operation ends, or a response brings
// other links, they are made again, in the order of the operations.

extension Graph.Transaction {
  /// Adds a step to a patch, and the same for the other sides of changed relations.
  func expect(
    _ step: OverlayPatch.Step, of state: EntityState, by change: Int64
  ) throws(Graph.StoreError) {
    let place = ChangePlace(change: change, order: step.order)
    let old = try record(of: state, through: place)
    try addStep(step, to: state, by: change)
    try derive(state, from: old, at: place)
  }

  private func derive(
    _ state: EntityState, from old: RecordText?, at place: ChangePlace
  ) throws(Graph.StoreError) {
    var update = InverseUpdate(transaction: self, place: place)
    try update.run(state, from: old, to: record(of: state, through: place))
  }

  /// Makes the other sides of expected changes again that depend on what was noted.
  func updateExpectedRelations() throws(Graph.StoreError) {
    guard !relationChanges.isEmpty else { return }
    var open: Set<Int64> = []
    for change in relationChanges { open.formUnion(try dependents(of: change)) }
    relationChanges = []
    while let change = open.min() {
      open.remove(change)
      for other in try deriveAgain(change) { open.formUnion(try dependents(of: other)) }
    }
  }

  /// The operations whose changes may depend on other links of an entity.
  private func dependents(of change: RelationChange) throws(Graph.StoreError) -> [Int64] {
    let relations = policies.inverses(ofType: change.key.typeName)
    return try entityState(of: change.key).overlay?.patches.filter { patch in
      patch.change > change.after
        && RelationTouch(patch.steps, of: change.key, relations).meets(change.touch)
    }.map(\.change) ?? []
  }

  /// Makes the derived steps of an operation again.
  ///
  /// - Returns: what has become different.
  private func deriveAgain(_ change: Int64) throws(Graph.StoreError) -> [RelationChange] {
    var old: [GraphQL.EntityKey: [OverlayPatch.Step]] = [:]
    var steps: [(state: EntityState, order: Int)] = []
    for key in try entities(changedBy: change)
    where !policies.inverses(ofType: key.typeName).isEmpty {
      let state = try entityState(of: key)
      guard let patch = state.overlay?[change] else { continue }
      let given = patch.steps.filter { !$0.isDerived }
      for step in given where step.effect != .delete && step.effect != .unlink {
        steps.append((state, step.order))
      }
      guard given.count < patch.steps.count else { continue }
      old[key] = patch.steps.filter(\.isDerived)
      try replace(OverlayPatch(change: change, steps: given), of: state)
    }
    for (state, order) in steps.sorted(by: { $0.order < $1.order }) {
      let before = try record(of: state, through: ChangePlace(change: change, order: order - 1))
      try derive(state, from: before, at: ChangePlace(change: change, order: order))
    }
    var different: [RelationChange] = []
    for key in try entities(changedBy: change).union(old.keys) {
      let (old, new) = (old[key] ?? [], try derivedSteps(of: key, change))
      guard !new.elementsEqual(old, by: { $0.isSame(as: $1) }) else { continue }
      let touch = RelationTouch(old + new, of: key, policies.inverses(ofType: key.typeName))
      different.append(RelationChange(key: key, touch: touch, after: change))
    }
    return different
  }

  private func derivedSteps(
    of key: GraphQL.EntityKey, _ change: Int64
  ) throws(Graph.StoreError) -> [OverlayPatch.Step] {
    try entityState(of: key).overlay?[change]?.steps.filter(\.isDerived) ?? []
  }

  private func replace(
    _ patch: OverlayPatch, of state: EntityState
  ) throws(Graph.StoreError) {
    guard var overlay = state.overlay else { return }
    if patch.steps.isEmpty {
      overlay.remove(patch.change)
      try deletePatch(of: state.key, patch.change)
    } else {
      overlay.set(patch)
      try write(patch, of: state.key)
    }
    try setOverlay(state, with: overlay)
  }
}

extension OverlayPatch.Step {
  fileprivate func isSame(as other: Self) -> Bool {
    effect == other.effect && order == other.order && content.text == other.content.text
  }
}

// An expected change may link to an object that does not exist: then the object is not added to a list, and the
// other side of a relation has no record. So the change is applied again when the object appears or disappears.

extension Graph.Transaction {
  /// Applies expected changes that link to objects which the transaction has inserted or deleted.
  func updateLinksToNewObjects() throws(Graph.StoreError) {
    let new = changed.filter { $0.hasAppearedOrGone && !$0.key.isOfConnection }
    guard !new.isEmpty else { return }
    for state in new where state.overlay != nil { noteRelations(of: state.key) }
    let linked = try linkedObjects()
    guard !linked.isEmpty else { return }
    var owners: [GraphQL.EntityKey: Set<GraphQL.EntityKey>] = [:]
    for state in new {
      for owner in linked[state.key] ?? [] { owners[owner, default: []].insert(state.key) }
    }
    for (owner, objects) in owners {
      let state = try entityState(of: owner)
      guard let overlay = state.overlay else { continue }
      try setOverlay(state, with: overlay)
      noteRelations(of: owner, to: objects)
    }
  }

  /// The objects that expected changes insert into lists.
  func insertedObjects() throws(Graph.StoreError) -> Set<GraphQL.EntityKey> {
    var objects: Set<GraphQL.EntityKey> = []
    func insert(_ patch: OverlayPatch, _ owner: GraphQL.EntityKey) {
      for step in patch.steps {
        guard let (edit, _) = step.edit(of: owner), edit.place != .removed else { continue }
        objects.insert(edit.key)
      }
    }
    for (key, overlay) in memory.overlays.byKey {
      for patch in overlay.patches { insert(patch, key) }
    }
    for (key, patch) in try storedPatches(withFields: false) { insert(patch, key) }
    return objects
  }

  /// - Parameter withFields: whether to include the patches that only have fields.
  private func storedPatches(
    withFields: Bool
  ) throws(Graph.StoreError) -> [(GraphQL.EntityKey, OverlayPatch)] {
    guard try mayHaveOverlays else { return [] }
    let condition = withFields ? "" : " WHERE effect NOT IN ('create', 'update')"
    let patches = try rows(
      "SELECT entity, change, effect, content FROM overlay_patch" + condition
    ) { row in
      (
        GraphQL.EntityKey(row.text(0)),
        OverlayPatch(change: row.integer(1), effect: row.text(2), content: row.text(3))
      )
    }
    return patches.compactMap { key, patch in
      if let key, let patch { (key, patch) } else { nil }
    }
  }

  private func linkedObjects() throws(Graph.StoreError) -> [GraphQL.EntityKey: Set<
    GraphQL.EntityKey
  >] {
    if let linked = states.linked { return linked }
    states.linked = [:]
    for (key, overlay) in memory.overlays.byKey {
      for patch in overlay.patches { noteLinks(of: patch, key) }
    }
    for (key, patch) in try storedPatches(withFields: policies.hasInverses) {
      noteLinks(of: patch, key)
    }
    return states.linked ?? [:]
  }
}

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
