import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// The known state of an entity.
  func base(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    try slot(key).base?.json
  }

  /// The same if the visible state is already read.
  func base(
    of key: GraphQL.EntityKey, visible: JSONDocument
  ) throws(Graph.StoreError) -> JSONDocument? {
    if memory.overlays.byKey.isEmpty, try !mayHaveOverlays { return visible }
    let slot = try slot(key)
    return slot.overlay == nil ? visible : slot.overlay?.base
  }

  /// Stores the known state of an entity with an overlay.
  ///
  /// - Returns: the state that readers see now.
  func rebase(_ slot: Slot, on record: RecordText?) -> RecordText? {
    guard var overlay = slot.overlay else { return record }
    overlay.base = record?.json
    slot.cover(overlay, isBaseChanged: true)
    if !isInFile(slot.key) { memory.overlays[slot.key] = overlay }
    return overlay.visible(planner.plan(ofType: slot.key.typeName)).map(RecordText.init)
  }
}
