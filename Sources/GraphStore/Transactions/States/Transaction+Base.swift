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
    noteRelations(of: state.key, from: overlay.base, to: record?.json)
    overlay.base = record?.json
    state.setOverlay(overlay, isBaseChanged: true)
    if !isInFile(state.key) { memory.overlays[state.key] = overlay }
    do {
      return try overlay.visible(patchContext(of: state.key)).map(RecordText.init)
    } catch {
      // An object that cannot be read counts as missing; the error occurs with its next read.
      return overlay.base.map(RecordText.init)
    }
  }

  func patchContext(of key: GraphQL.EntityKey) -> PatchContext {
    PatchContext(key: key, plan: planner.plan(ofType: key.typeName), schema: schema) {
      [unowned self] key throws(Graph.StoreError) in try entityState(of: key).json
    }
  }
}
