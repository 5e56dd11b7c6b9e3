import GraphJSON
import GraphQLRuntime
import GraphStorage

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
