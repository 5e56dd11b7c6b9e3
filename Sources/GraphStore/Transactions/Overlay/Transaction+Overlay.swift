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
