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
        try cover(slot(key), with: patch)
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
        try side("SELECT entity FROM overlay_patch WHERE change = ?1", [.integer(change)]) {
          GraphQL.EntityKey($0.text(0))
        }.compactMap { $0 })
    }
    for key in keys {
      let slot = try slot(key)
      guard var overlay = slot.overlay else { continue }
      if overlay[change]?.effect == .delete { deleted.append(key) }
      overlay.remove(change)
      cover(slot, with: overlay)
    }
    if isExecuted {
      _ = try delete(
        deleted.sorted { ExactKey($0.description) < ExactKey($1.description) }, withThose: [])
    }
    guard hasSome, !keys.isEmpty else { return }
    try side("DELETE FROM overlay_patch WHERE change = ?1", [.integer(change)])
    slots.hasOverlays = nil
  }

  /// Shows the known state of every object.
  func removeOverlays() throws(Graph.StoreError) {
    try removeOverlaysInMemory()
    guard try mayHaveOverlays else { return }
    let entities = try side("SELECT DISTINCT entity FROM overlay_patch", []) {
      GraphQL.EntityKey($0.text(0))
    }
    for case let key? in entities {
      try uncover(slot(key))
      try deletePatches(of: key)
    }
  }

  func removeOverlaysInMemory() throws(Graph.StoreError) {
    for key in memory.overlays.byKey.keys { try uncover(slot(key)) }
  }

  func cover(_ slot: Slot, with patch: OverlayPatch) throws(Graph.StoreError) {
    var overlay = slot.overlay ?? Overlay(base: slot.json)
    // Operations nearly always come in their order: then the visible state is the base for the
    // next.
    let isLast = overlay.patches.last.map { $0.change < patch.change } ?? true
    overlay.set(patch)
    try write(patch, of: slot.key)
    let plan = planner.plan(ofType: slot.key.typeName)
    cover(
      slot, with: overlay,
      showing: isLast ? patch.applied(to: slot.json, plan) : overlay.visible(plan))
  }

  func cover(_ slot: Slot, with overlay: Overlay) {
    guard !overlay.patches.isEmpty else { return uncover(slot, base: overlay.base) }
    let plan = planner.plan(ofType: slot.key.typeName)
    cover(slot, with: overlay, showing: overlay.visible(plan))
  }

  private func cover(_ slot: Slot, with overlay: Overlay, showing visible: JSONDocument?) {
    slot.cover(overlay, isBaseChanged: slot.overlay == nil)
    if !isInFile(slot.key) { memory.overlays[slot.key] = overlay }
    show(visible, in: slot)
  }

  private func uncover(_ slot: Slot) throws(Graph.StoreError) {
    if let overlay = slot.overlay { uncover(slot, base: overlay.base) }
  }

  private func uncover(_ slot: Slot, base: JSONDocument?) {
    slot.cover(nil, isBaseChanged: true)
    if !isInFile(slot.key) { memory.overlays[slot.key] = nil }
    show(base, in: slot)
  }

  private func show(_ record: JSONDocument?, in slot: Slot) {
    if slot.change(record.map(RecordText.init), isTold: false) { changed.append(slot) }
  }
}
