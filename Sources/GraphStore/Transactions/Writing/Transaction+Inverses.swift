import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Updates the other sides of an entity's relations.
  ///
  /// - Parameter old: the earlier record of the entity.
  /// - Returns: the entities that were changed.
  func updateInverses(of state: EntityState, from old: RecordText?) throws(Graph.StoreError)
    -> [EntityState]
  {
    guard let new = state.base?.json else { return [] }
    var changed: [EntityState] = []
    for relation in policies.inverses(ofType: state.key.typeName) {
      let name = Array(relation.field.utf8)
      let before = old?.json?.links(of: name) ?? []
      // A field disappears only from an object that was replaced as a whole.
      let after = new.links(of: name) ?? []
      guard after != before else { continue }
      let kept = Set(after)
      for target in before where !kept.contains(target) {
        try unlink(target, relation.inverse, from: state.key, &changed)
      }
      let known = Set(before)
      for target in after where !known.contains(target) {
        try link(target, relation, to: state.key, &changed)
      }
    }
    return changed
  }

  private func link(
    _ target: GraphQL.EntityKey, _ relation: InverseRelation, to owner: GraphQL.EntityKey,
    _ changed: inout [EntityState]
  ) throws(Graph.StoreError) {
    let state = try entityState(of: target)
    guard let json = state.base?.json, let field = field(relation.inverse, of: target) else {
      return
    }
    let stored = json.links(of: field.storageKey)
    var links = stored ?? []
    if links.contains(owner) { return }
    if !field.isList {
      // The target belongs to only one owner, so an earlier owner loses it.
      for former in links { try unlink(former, relation.field, from: target, &changed) }
      links = []
    }
    try put(links + [owner], field, in: state, &changed)
    if field.isList, stored == nil, let json = state.base?.json {
      put(json.withPartialLists(json.partialLists + [field.storageKey]), in: state)
    }
  }

  /// Removes a link from a field.
  private func unlink(
    _ target: GraphQL.EntityKey, _ name: String, from owner: GraphQL.EntityKey,
    _ changed: inout [EntityState]
  ) throws(Graph.StoreError) {
    let state = try entityState(of: target)
    guard let json = state.base?.json, let field = field(name, of: target),
      let links = json.links(of: field.storageKey), links.contains(owner)
    else { return }
    try put(links.filter { $0 != owner }, field, in: state, &changed)
  }

  private func put(
    _ links: [GraphQL.EntityKey], _ field: GraphQL.StorageField, in state: EntityState,
    _ changed: inout [EntityState]
  ) throws(Graph.StoreError) {
    guard let json = state.base?.json else { return }
    let value: [UInt8]?
    if field.isList {
      var elements = ListBuilder()
      for link in links { elements.append(link.linkText) }
      value = elements.finish()
    } else if let link = links.first {
      value = link.linkText
    } else {
      value = field.isNullable ? Array("null".utf8) : nil
    }
    put(json.replacing(field.storageKey, with: value), in: state)
    changed.append(state)
  }

  private func field(
    _ name: String, of key: GraphQL.EntityKey
  ) -> GraphQL.StorageField? {
    guard let plan = planner.plan(ofType: key.typeName),
      let position = plan.position(of: Array(name.utf8))
    else { return nil }
    return plan.fields[position]
  }
}
