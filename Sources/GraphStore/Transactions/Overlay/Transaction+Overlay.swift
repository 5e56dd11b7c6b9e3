import GraphJSON
import GraphQLRuntime
import GraphStorage

// The row of an entity with patches contains what readers see; separate tables contain its known
// state and the patches. Every change of either updates the row, so that reading, filters, indexes
// and observers do not have to handle overlays.

extension Graph.Transaction {
  /// Shows the expected effect of an operation on an object, until
  /// ``removeOverlay(of:isExecuted:)``.
  ///
  /// - Parameter change: the operation's position in its queue, which is the order of the patches.
  /// - Throws: ``StoreError``: `invalidJSON`, `notAnEntity`.
  package func overlay(
    _ expected: ExpectedChange, on key: GraphQL.EntityKey, by change: Int64
  ) throws(Graph.StoreError) {
    try checkOpen()
    switch expected {
    case .create(let fields), .update(let fields):
      var maker = PatchMaker(transaction: self, change: change)
      for (key, patch) in try maker.patches(of: key, fields, isNew: expected.isCreation) {
        try setOverlay(entityState(of: key), with: patch)
      }
    case .delete: try overlayDeletion(of: key, by: change)
    }
  }

  /// Shows the objects without the expected effect of an operation.
  ///
  /// - Parameter isExecuted: whether the server has carried it out. In that case, objects that it
  ///   was expected to delete are deleted, whatever a rule denies, since the server has decided.
  package func removeOverlay(
    of change: Int64, isExecuted: Bool = false
  ) throws(Graph.StoreError) {
    try checkOpen()
    var deleted: [GraphQL.EntityKey] = []
    var keys = memory.overlays.byChange[change] ?? []
    let hasSome = try mayHaveOverlays
    if hasSome {
      keys.formUnion(
        try rows("SELECT entity FROM overlay_patch WHERE change = ?1", [.integer(change)]) {
          GraphQL.EntityKey($0.text(0))
        }.compactMap { $0 })
    }
    for key in keys {
      let state = try entityState(of: key)
      guard var overlay = state.overlay else { continue }
      if overlay[change]?.effect == .delete { deleted.append(key) }
      overlay.remove(change)
      setOverlay(state, with: overlay)
    }
    if isExecuted {
      _ = try delete(
        deleted.sorted { ExactKey($0.description) < ExactKey($1.description) }, withThose: [])
    }
    guard hasSome, !keys.isEmpty else { return }
    try execute("DELETE FROM overlay_patch WHERE change = ?1", [.integer(change)])
    states.hasOverlays = nil
  }

  /// Shows the known state of every object.
  func removeOverlays() throws(Graph.StoreError) {
    try removeOverlaysInMemory()
    guard try mayHaveOverlays else { return }
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

  func setOverlay(_ state: EntityState, with patch: OverlayPatch) throws(Graph.StoreError) {
    var overlay = state.overlay ?? Overlay(base: state.json)
    // Operations nearly always come in their order: then the visible state is the base for the
    // next.
    let isLast = overlay.patches.last.map { $0.change < patch.change } ?? true
    overlay.set(patch)
    try write(patch, of: state.key)
    let plan = planner.plan(ofType: state.key.typeName)
    setOverlay(
      state, with: overlay,
      showing: isLast ? patch.applied(to: state.json, plan) : overlay.visible(plan))
  }

  func setOverlay(_ state: EntityState, with overlay: Overlay) {
    guard !overlay.patches.isEmpty else { return removeOverlay(state, base: overlay.base) }
    let plan = planner.plan(ofType: state.key.typeName)
    setOverlay(state, with: overlay, showing: overlay.visible(plan))
  }

  private func setOverlay(
    _ state: EntityState, with overlay: Overlay, showing visible: JSONDocument?
  ) {
    state.setOverlay(overlay, isBaseChanged: state.overlay == nil)
    if !isInFile(state.key) { memory.overlays[state.key] = overlay }
    show(visible, in: state)
  }

  private func removeOverlay(_ state: EntityState) throws(Graph.StoreError) {
    if let overlay = state.overlay { removeOverlay(state, base: overlay.base) }
  }

  private func removeOverlay(_ state: EntityState, base: JSONDocument?) {
    state.setOverlay(nil, isBaseChanged: true)
    if !isInFile(state.key) { memory.overlays[state.key] = nil }
    show(base, in: state)
  }

  private func show(_ record: JSONDocument?, in state: EntityState) {
    if state.change(record.map(RecordText.init), isFromResponse: false) { changed.append(state) }
  }
}
