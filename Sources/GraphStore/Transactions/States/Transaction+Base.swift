import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// The known state of an entity.
  func base(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    try entityState(of: key).base?.json
  }

  /// The known state of an entity whose visible state was read already.
  func base(
    of key: GraphQL.EntityKey, visible: JSONDocument
  ) throws(Graph.StoreError) -> JSONDocument? {
    if memory.overlays.byKey.isEmpty, try !mayHaveOverlays { return visible }
    let state = try entityState(of: key)
    return state.overlay == nil ? visible : state.overlay?.base
  }

  /// Stores the known state of an entity with an overlay.
  ///
  /// - Returns: the state that readers see now.
  func rebase(_ state: EntityState, on record: RecordText?) -> RecordText? {
    guard var overlay = state.overlay else { return record }
    overlay.base = record?.json
    state.setOverlay(overlay, isBaseChanged: true)
    if !isInFile(state.key) { memory.overlays[state.key] = overlay }
    return overlay.visible(planner.plan(ofType: state.key.typeName)).map(RecordText.init)
  }
}
