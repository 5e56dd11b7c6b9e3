import GraphJSON
import GraphQLRuntime

extension Transaction {
  /// Hides an object and the links to it, as deleting would: what holds the links goes with it where
  /// the delete rule says so.
  func overlayDeletion(of key: GraphQL.EntityKey, by change: Int64) throws(StoreError) {
    guard let content = JSONDocument(record: Array("{}".utf8)) else { return }
    var round: Set = [key]
    var hidden: Set<GraphQL.EntityKey> = []
    while !round.isEmpty {
      for key in round {
        let patch = OverlayPatch(change: change, effect: .delete, content: content)
        try cover(slot(key), with: patch)
      }
      hidden.formUnion(round)
      round = try unlink(round, by: change).subtracting(hidden)
    }
  }

  /// Hides the links to `gone` in all records.
  ///
  /// - Returns: the objects that go with them.
  private func unlink(
    _ gone: Set<GraphQL.EntityKey>, by change: Int64
  ) throws(StoreError) -> Set<GraphQL.EntityKey> {
    let cascading = gone.filter { policies.policy(ofType: $0.typeName).deleteRule == .cascade }
    var next: Set<GraphQL.EntityKey> = []
    var found: [(owner: GraphQL.EntityKey, links: Set<GraphQL.EntityKey>)] = []
    try forEachRecord { key, json throws(StoreError) in
      var remover = LinkRemover(json: json, gone: gone)
      guard let plan = planner.plan(ofType: key.typeName), remover.record(plan) != nil else {
        return
      }
      if !key.key.isEmpty, !key.isOfConnection, !remover.found.isDisjoint(with: cascading) {
        next.insert(key)
      } else {
        found.append((key, remover.found))
      }
    }
    for (owner, links) in found {
      let slot = try slot(owner)
      let earlier = slot.overlay?[change].map { Set($0.links) } ?? []
      guard let patch = OverlayPatch(unlinking: links.union(earlier), change: change) else {
        continue
      }
      try cover(slot, with: patch)
    }
    return next
  }
}
