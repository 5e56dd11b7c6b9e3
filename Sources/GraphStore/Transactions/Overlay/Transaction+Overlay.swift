import GraphJSON
import GraphQLRuntime
import GraphStorage

// The row of an entity with patches contains what readers see; separate tables contain its known
// state and the patches. Every change of either updates the row, so that reading, filters, indexes
// and observers do not have to handle overlays.

extension Graph.Transaction {
  /// Shows the expected effect of an operation until ``removeOverlay(of:isExecuted:)``.
  ///
  /// - Parameters:
  ///   - key: the object of the operation.
  ///   - number: the operation's position in its queue, which is the order of the patches.
  /// - Throws: ``StoreError``: `invalidJSON`, `invalidChange`, `notAnEntity`.
  package func overlay(
    _ change: Graph.StoreChange, on key: GraphQL.EntityKey, by number: Int64
  ) throws(Graph.StoreError) {
    try checkOpen()
    for (order, step) in try check(change, object: key).steps.enumerated() {
      let place = ChangePlace(change: number, order: order)
      switch step {
      case .fields(let key, var patch):
        patch.order = order
        try expect(patch, of: entityState(of: key), by: number)
      case .delete(let key): try overlayDeletion(of: key, at: place)
      case .edit(let edit, let list, let isConnection):
        try overlay(edit, list, isConnection: isConnection, at: place)
      }
    }
    guard policies.hasInverses else { return }
    // A save that was not sent is replaced under the number that it had, so others may follow.
    for key in try entities(changedBy: number) {
      if let patch = try entityState(of: key).overlay?[number] { noteRelations(of: key, in: patch) }
    }
    try updateExpectedRelations()
  }

  /// The entities that an operation is expected to change.
  func entities(changedBy change: Int64) throws(Graph.StoreError) -> Set<GraphQL.EntityKey> {
    let inMemory = memory.overlays.byChange[change] ?? []
    guard try mayHaveOverlays else { return inMemory }
    let inFile = try rows(
      "SELECT entity FROM overlay_patch WHERE change = ?1", [.integer(change)]
    ) { GraphQL.EntityKey($0.text(0)) }
    return inMemory.union(inFile.compactMap { $0 })
  }

  /// Shows the objects without the expected effect of an operation.
  ///
  /// - Parameter isExecuted: whether the server has carried it out. In that case, objects that it
  ///   was expected to delete are deleted, whatever a rule denies, since the server has decided. Lists that it was
  ///   expected to change are changed, except those that a response in this transaction contains.
  package func removeOverlay(
    of change: Int64, isExecuted: Bool = false
  ) throws(Graph.StoreError) {
    try checkOpen()
    var deleted: [GraphQL.EntityKey] = []
    var edits: [ExecutedEdit] = []
    let hasSome = try mayHaveOverlays
    let keys = try entities(changedBy: change)
    for key in keys {
      let state = try entityState(of: key)
      guard var overlay = state.overlay else { continue }
      if let patch = overlay[change] {
        noteRelations(of: key, in: patch)
        if patch.deletes { deleted.append(key) }
        if isExecuted { edits += ExecutedEdit.all(of: key, patch) }
      }
      overlay.remove(change)
      try setOverlay(state, with: overlay)
    }
    // An edit of a list adds only an object that exists, which may be one of those that are shown again.
    for key in keys {
      let state = try entityState(of: key)
      if let overlay = state.overlay { try setOverlay(state, with: overlay) }
    }
    if isExecuted {
      _ = try delete(
        deleted.sorted { ExactKey($0.description) < ExactKey($1.description) }, withThose: [])
      try apply(executed: edits)
    }
    // Also if all patches of the operation are in the memory of another store.
    if hasSome {
      try execute("DELETE FROM overlay_patch WHERE change = ?1", [.integer(change)])
      states.hasOverlays = nil
    }
    try updateExpectedRelations()
  }

  /// Removes the patches in memory of operations that another process has ended.
  func removeEndedOverlaysInMemory() throws(Graph.StoreError) {
    // nil if another process may have committed.
    guard connection != nil, states.hasOverlays == nil, !memory.overlays.byChange.isEmpty else {
      return
    }
    let open = try mayHaveOverlays ? try changesInMemory() : []
    let ended = memory.overlays.byChange.filter { !open.contains($0.key) }
    guard !ended.isEmpty else { return }
    for (change, keys) in ended {
      for key in keys {
        let state = try entityState(of: key)
        guard var overlay = state.overlay else { continue }
        if let patch = overlay[change] { noteRelations(of: key, in: patch) }
        overlay.remove(change)
        try setOverlay(state, with: overlay)
      }
    }
    // The other process has changed objects in the file, and not their links to objects in memory.
    for key in memory.memoryOnly.keys where !policies.inverses(ofType: key.typeName).isEmpty {
      try forgetMemoryOnlyFields(of: entityState(of: key))
    }
    try updateExpectedRelations()
  }

  private func forgetMemoryOnlyFields(of state: EntityState) throws(Graph.StoreError) {
    if let overlay = state.overlay { return try setOverlay(state, with: overlay) }
    let fields = MemoryOnlyFields(policies: policies)
    guard let json = state.json,
      let stored = fields.split(json, ofType: state.key.typeName)?.stored
    else { return }
    put(stored, in: state, isArrival: false)
  }

  /// Shows the known state of every object.
  func removeOverlays() throws(Graph.StoreError) {
    try removeOverlaysInMemory()
    guard try mayHaveOverlays else { return }
    try execute("DELETE FROM overlay_patch WHERE entity = ''")
    let entities = try rows("SELECT DISTINCT entity FROM overlay_patch", []) {
      GraphQL.EntityKey($0.text(0))
    }
    for case let key? in entities {
      try removeOverlay(entityState(of: key))
      try deletePatches(of: key)
    }
  }

  func removeOverlaysInMemory() throws(Graph.StoreError) {
    for key in memory.overlays.byKey.keys { try removeOverlay(entityState(of: key)) }
  }
}

extension Graph.Transaction {
  /// Hides an object and the links to it, as deleting would, with the objects that are deleted with
  /// it. A rule that denies the deletion does not count, since the server decides.
  func overlayDeletion(of key: GraphQL.EntityKey, at place: ChangePlace) throws(Graph.StoreError) {
    let deletion = try Deletion(of: [key], in: self)
    let hidden = deletion.keys.isEmpty ? [key] : deletion.keys
    let kept = try deletion.linksThatStay()
    for key in hidden {
      let keepers = kept.filter { $0.value.contains(key) }.keys
      guard var step = OverlayPatch.Step(deletionKeptBy: keepers) else { continue }
      step.order = place.order
      try addStep(step, to: entityState(of: key), by: place.change)
    }
    let gone = Set(hidden)
    var owners: [GraphQL.EntityKey] = []
    try forEachRecord { key, json throws(Graph.StoreError) in
      if json.links(in: JSONDocument.rootIndex).contains(where: gone.contains) {
        owners.append(key)
      }
    }
    for owner in owners {
      try hide(gone, in: entityState(of: owner), keeping: kept[owner] ?? [], by: place.change)
    }
  }

  /// Hides the links to deleted objects in a record.
  private func hide(
    _ gone: Set<GraphQL.EntityKey>, in state: EntityState, keeping kept: Set<GraphQL.EntityKey>,
    by change: Int64
  ) throws(Graph.StoreError) {
    guard let json = state.json else { return }
    var links = Set(json.links(in: JSONDocument.rootIndex)).intersection(gone).subtracting(kept)
    // A later operation may add the link again.
    for step in state.overlay?[change]?.steps ?? [] where step.effect == .unlink {
      links.subtract(step.links)
    }
    guard !links.isEmpty, var step = OverlayPatch.Step(unlinking: links) else { return }
    step.order = state.overlay?[change]?.steps.last?.order ?? 0
    try addStep(step, to: state, by: change)
  }

  /// An operation that is expected to delete objects.
  struct ExpectedDeletion {
    let change: Int64
    var gone: Set<GraphQL.EntityKey> = []
    var kept: [GraphQL.EntityKey: Set<GraphQL.EntityKey>] = [:]
  }

  /// The expected deletions in the order of their operations.
  private func expectedDeletions() throws(Graph.StoreError) -> [ExpectedDeletion] {
    var found: [Int64: ExpectedDeletion] = [:]
    var keys = Set(memory.overlays.byKey.filter { $0.value.deletes }.map(\.key))
    if try mayHaveOverlays {
      // With DISTINCT, SQLite would read all patches in the order of their entities.
      keys.formUnion(
        try rows("SELECT entity FROM overlay_patch WHERE effect = 'delete'", []) {
          GraphQL.EntityKey($0.text(0))
        }.compactMap { $0 })
    }
    for key in keys {
      // Another operation may create the object again.
      guard let overlay = try entityState(of: key).overlay, overlay.deletes,
        let patch = overlay.patches.last(where: \.deletes)
      else { continue }
      var deletion = found[patch.change] ?? ExpectedDeletion(change: patch.change)
      deletion.gone.insert(key)
      for keeper in patch.steps.flatMap(\.keepers) {
        deletion.kept[keeper, default: []].insert(key)
      }
      found[patch.change] = deletion
    }
    return found.values.sorted { $0.change < $1.change }
  }

  /// Applies expected changes to records that they did not know. A new object is added to the lists to which it was
  /// added before, and an object that has gone disappears from them. A changed record loses its links to objects that
  /// are expected to be deleted. A new connection gets the edits of its list.
  func applyOverlaysToNewRecords() throws(Graph.StoreError) {
    if memory.overlays.byKey.isEmpty, try !mayHaveOverlays {
      relationChanges = []
      states.linked = nil
      return
    }
    try updateLinksToNewObjects()
    try updateExpectedRelations()
    let deletions = try expectedDeletions()
    var place = 0
    // A step may change further states.
    while place < changed.count {
      let state = changed[place]
      place += 1
      guard state.json != nil else { continue }
      if state.row == nil, state.isFromResponse, state.key.isOfConnection {
        try applyEdits(toNewConnection: state)
      }
      for deletion in deletions {
        try hide(
          deletion.gone, in: state, keeping: deletion.kept[state.key] ?? [], by: deletion.change)
      }
    }
  }
}

extension Graph.Transaction {
  /// Whether objects of a type are only kept in memory.
  package func isTransient(_ typeName: String) -> Bool { policies.isTransient(typeName) }

  /// The part of an object's expected fields that may be written to the file: nothing of transient
  /// types.
  ///
  /// - Returns: nil, not JSON's null, if the type itself is transient.
  package func storable(_ fields: JSON, ofType typeName: String) -> JSON? {
    switch fields {
    case .array(let elements): return .array(elements.compactMap { storable($0, ofType: typeName) })
    case .object(let object):
      let name = if case .string(let name)? = object["__typename"] { name } else { typeName }
      guard !policies.isTransient(name) else { return nil }
      let members = object.members.compactMap { member -> JSON.Object.Member? in
        let target = policies.schema.objectTypeName(ofField: "\(name).\(member.key)")
        guard let target else { return member }
        return storable(member.value, ofType: target).map {
          JSON.Object.Member(key: member.key, value: $0)
        }
      }
      return .object(JSON.Object(members))
    // In `? nil :` a nil would be JSON's null.
    default:
      guard !policies.isTransient(typeName) else { return nil }
      return fields
    }
  }
}
