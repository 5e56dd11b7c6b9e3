import GraphJSON
import GraphQLRuntime
import GraphStorage

// An expected change of one side of a relation has steps for the other side. They depend on the state before the
// change: which club a person leaves is known only then. When an earlier operation ends, or a response brings
// other links, they are made again, in the order of the operations.

extension Graph.Transaction {
  /// Adds a step to a patch, and the same for the other sides of changed relations.
  func expect(
    _ step: OverlayPatch.Step, of state: EntityState, by change: Int64
  ) throws(Graph.StoreError) {
    let place = ChangePlace(change: change, order: step.order)
    let old = try record(of: state, through: place)
    try addStep(step, to: state, by: change)
    try derive(state, from: old, at: place)
  }

  private func derive(
    _ state: EntityState, from old: RecordText?, at place: ChangePlace
  ) throws(Graph.StoreError) {
    var update = InverseUpdate(transaction: self, place: place)
    try update.run(state, from: old, to: record(of: state, through: place))
  }

  /// Makes the other sides of expected changes again that depend on what was noted.
  func updateExpectedRelations() throws(Graph.StoreError) {
    guard !relationChanges.isEmpty else { return }
    var open: Set<Int64> = []
    for change in relationChanges { open.formUnion(try dependents(of: change)) }
    relationChanges = []
    while let change = open.min() {
      open.remove(change)
      for other in try deriveAgain(change) { open.formUnion(try dependents(of: other)) }
    }
  }

  /// The operations whose changes may depend on other links of an entity.
  private func dependents(of change: RelationChange) throws(Graph.StoreError) -> [Int64] {
    let relations = policies.inverses(ofType: change.key.typeName)
    return try entityState(of: change.key).overlay?.patches.filter { patch in
      patch.change > change.after
        && RelationTouch(patch.steps, of: change.key, relations).meets(change.touch)
    }.map(\.change) ?? []
  }

  /// Makes the derived steps of an operation again.
  ///
  /// - Returns: what has become different.
  private func deriveAgain(_ change: Int64) throws(Graph.StoreError) -> [RelationChange] {
    var old: [GraphQL.EntityKey: [OverlayPatch.Step]] = [:]
    var steps: [(state: EntityState, order: Int)] = []
    for key in try entities(changedBy: change)
    where !policies.inverses(ofType: key.typeName).isEmpty {
      let state = try entityState(of: key)
      guard let patch = state.overlay?[change] else { continue }
      let given = patch.steps.filter { !$0.isDerived }
      for step in given where step.effect != .delete && step.effect != .unlink {
        steps.append((state, step.order))
      }
      guard given.count < patch.steps.count else { continue }
      old[key] = patch.steps.filter(\.isDerived)
      try replace(OverlayPatch(change: change, steps: given), of: state)
    }
    for (state, order) in steps.sorted(by: { $0.order < $1.order }) {
      let before = try record(of: state, through: ChangePlace(change: change, order: order - 1))
      try derive(state, from: before, at: ChangePlace(change: change, order: order))
    }
    var different: [RelationChange] = []
    for key in try entities(changedBy: change).union(old.keys) {
      let (old, new) = (old[key] ?? [], try derivedSteps(of: key, change))
      guard !new.elementsEqual(old, by: { $0.isSame(as: $1) }) else { continue }
      let touch = RelationTouch(old + new, of: key, policies.inverses(ofType: key.typeName))
      different.append(RelationChange(key: key, touch: touch, after: change))
    }
    return different
  }

  private func derivedSteps(
    of key: GraphQL.EntityKey, _ change: Int64
  ) throws(Graph.StoreError) -> [OverlayPatch.Step] {
    try entityState(of: key).overlay?[change]?.steps.filter(\.isDerived) ?? []
  }

  private func replace(
    _ patch: OverlayPatch, of state: EntityState
  ) throws(Graph.StoreError) {
    guard var overlay = state.overlay else { return }
    if patch.steps.isEmpty {
      overlay.remove(patch.change)
      try deletePatch(of: state.key, patch.change)
    } else {
      overlay.set(patch)
      try write(patch, of: state.key)
    }
    try setOverlay(state, with: overlay)
  }
}

extension OverlayPatch.Step {
  fileprivate func isSame(as other: Self) -> Bool {
    effect == other.effect && order == other.order && content.text == other.content.text
  }
}
