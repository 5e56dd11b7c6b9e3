import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Hides an object and the links to it, as deleting would, with the objects that are deleted with
  /// it. A rule that denies the deletion does not count, since the server decides.
  func overlayDeletion(of key: GraphQL.EntityKey, by change: Int64) throws(Graph.StoreError) {
    guard let content = JSONDocument(record: Array("{}".utf8)) else { return }
    let deletion = try Deletion(of: [key], in: self)
    let hidden = deletion.keys.isEmpty ? [key] : deletion.keys
    for key in hidden {
      try setOverlay(
        entityState(of: key), with: OverlayPatch(change: change, effect: .delete, content: content))
    }
    try unlink(Set(hidden), except: deletion.linksThatStay(), by: change)
  }

  /// Hides the links to `gone` in all records.
  private func unlink(
    _ gone: Set<GraphQL.EntityKey>, except kept: [GraphQL.EntityKey: Set<GraphQL.EntityKey>],
    by change: Int64
  ) throws(Graph.StoreError) {
    var found: [(owner: GraphQL.EntityKey, links: Set<GraphQL.EntityKey>)] = []
    try forEachRecord { key, json throws(Graph.StoreError) in
      var remover = LinkRemover(json: json, gone: kept[key].map { gone.subtracting($0) } ?? gone)
      guard let plan = planner.plan(ofType: key.typeName), remover.record(plan) != nil else {
        return
      }
      found.append((key, remover.found))
    }
    for (owner, links) in found {
      let state = try entityState(of: owner)
      let earlier = state.overlay?[change].map { Set($0.links) } ?? []
      guard let patch = OverlayPatch(unlinking: links.union(earlier), change: change) else {
        continue
      }
      try setOverlay(state, with: patch)
    }
  }
}
