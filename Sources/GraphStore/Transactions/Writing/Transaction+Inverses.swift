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
    var update = InverseUpdate(transaction: self)
    try update.run(state, from: old, to: state.base)
    return update.changed
  }
}

/// Updates the other sides of changed relations: in the known state, or as a part of an expected change.
struct InverseUpdate {
  let transaction: Graph.Transaction
  /// The part of an expected change to which the other sides belong; nil to change the known state.
  var place: ChangePlace?
  /// The entities whose known state was changed.
  private(set) var changed: [EntityState] = []

  init(transaction: Graph.Transaction, place: ChangePlace? = nil) {
    self.transaction = transaction
    self.place = place
  }

  /// - Parameters:
  ///   - old: the record of the entity before the change.
  ///   - new: its record now; nothing is updated for a deleted entity.
  mutating func run(
    _ state: EntityState, from old: RecordText?, to new: RecordText?
  ) throws(Graph.StoreError) {
    let relations = transaction.policies.inverses(ofType: state.key.typeName)
    guard !relations.isEmpty, let new = new?.json else { return }
    for relation in relations {
      let name = Array(relation.field.utf8)
      let before = old?.json?.links(of: name) ?? []
      // A field disappears only from an object that was replaced as a whole.
      let after = new.links(of: name) ?? []
      guard after != before else { continue }
      let kept = Set(after)
      for target in before where !kept.contains(target) {
        try unlink(target, relation.inverse, from: state.key)
      }
      let known = Set(before)
      for target in after where !known.contains(target) {
        try link(target, relation, to: state.key)
      }
    }
  }

  private mutating func link(
    _ target: GraphQL.EntityKey, _ relation: InverseRelation, to owner: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    let state = try transaction.entityState(of: target)
    guard let json = try record(of: state), let field = field(relation.inverse, of: target) else {
      return
    }
    let stored = json.links(of: field.storageKey)
    var links = stored ?? []
    if links.contains(owner) { return }
    if !field.isList {
      // The target belongs to only one owner, so an earlier owner loses it.
      for former in links { try unlink(former, relation.field, from: target) }
      links = []
    }
    try put(links + [owner], field, in: state, ListEdit(key: owner, place: .end))
    if place == nil, field.isList, stored == nil, let json = state.base?.json {
      transaction.put(
        json.withPartialLists(json.partialLists + [field.storageKey]), in: state, isArrival: false)
    }
  }

  /// Removes a link from a field.
  private mutating func unlink(
    _ target: GraphQL.EntityKey, _ name: String, from owner: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    let state = try transaction.entityState(of: target)
    guard let field = field(name, of: target) else { return }
    let links: [GraphQL.EntityKey]
    if let json = try record(of: state) {
      guard let known = json.links(of: field.storageKey), known.contains(owner) else { return }
      links = known.filter { $0 != owner }
    } else {
      // When the target arrives, expected changes are made again that have a step for it.
      guard place != nil else { return }
      links = []
    }
    try put(links, field, in: state, ListEdit(key: owner, place: .removed))
  }

  /// - Parameter edit: the change, if the field is a list.
  private mutating func put(
    _ links: [GraphQL.EntityKey], _ field: GraphQL.StorageField, in state: EntityState,
    _ edit: ListEdit
  ) throws(Graph.StoreError) {
    let value: [UInt8]?
    if field.isList {
      if let place {
        let list = Graph.StoredList(owner: state.key, field: field.name, arguments: [:])
        return try expect(OverlayPatch.Step(edit, list), of: state, at: place)
      }
      var elements = ListBuilder()
      for link in links { elements.append(link.linkText) }
      value = elements.finish()
    } else if let link = links.first {
      value = link.linkText
    } else {
      value = field.isNullable ? Array("null".utf8) : nil
    }
    if let place {
      // The expected fields of a record cannot make a field missing.
      guard let value else { return }
      let content = Array("{\"\(field.name)\":".utf8) + value + [UInt8(ascii: "}")]
      let step = JSONDocument(record: content).map {
        OverlayPatch.Step(effect: .update, content: $0)
      }
      return try expect(step, of: state, at: place)
    }
    if let json = state.base?.json {
      transaction.put(json.replacing(field.storageKey, with: value), in: state, isArrival: false)
    }
    changed.append(state)
  }

  private func expect(
    _ step: OverlayPatch.Step?, of state: EntityState, at place: ChangePlace
  ) throws(Graph.StoreError) {
    guard var step else { return }
    step.order = place.order
    step.isDerived = true
    try transaction.addStep(step, to: state, by: place.change)
  }

  /// The record that changes: the known state, or what readers would see at the place of the change.
  private func record(of state: EntityState) throws(Graph.StoreError) -> JSONDocument? {
    guard let place else { return state.base?.json }
    return try transaction.record(of: state, through: place)?.json
  }

  private func field(
    _ name: String, of key: GraphQL.EntityKey
  ) -> GraphQL.StorageField? {
    guard let plan = transaction.planner.plan(ofType: key.typeName),
      let position = plan.position(of: Array(name.utf8))
    else { return nil }
    return plan.fields[position]
  }
}

extension WriteOutcome {
  /// Updates the other sides of relations after the write.
  mutating func updateInverses(in transaction: Graph.Transaction) throws(Graph.StoreError) {
    for (state, old) in related {
      for other in try transaction.updateInverses(of: state, from: old) { note(other, .updated) }
    }
    related = []
  }
}
