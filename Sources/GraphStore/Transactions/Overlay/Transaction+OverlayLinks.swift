import GraphJSON
import GraphQLRuntime
import GraphStorage

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
