import GraphJSON
import GraphQLRuntime
import GraphStorage

/// One part of a queued operation's change.
struct ChangePlace {
  /// The operation's position in its queue.
  let change: Int64
  /// See ``OverlayPatch/Step/order``.
  var order: Int
}

/// The expected changes of queued operations to one entity, on top of its known state.
struct Overlay: Sendable {
  /// The known state; nil while no response has contained the entity.
  var base: JSONDocument?
  /// In the order of the operations.
  private(set) var patches: [OverlayPatch] = []

  init(base: JSONDocument?, patches: [OverlayPatch] = []) {
    self.base = base
    self.patches = patches
  }

  /// The entity as readers see it; nil if they see none.
  func visible(_ context: PatchContext) throws(Graph.StoreError) -> JSONDocument? {
    try OverlayPatch.Step.apply(patches.flatMap(\.steps), to: base, context)
  }

  /// The entity after a part of a change, without later changes.
  func visible(
    through place: ChangePlace, _ context: PatchContext
  ) throws(Graph.StoreError) -> JSONDocument? {
    let steps = patches.flatMap { patch in
      if patch.change < place.change { return patch.steps }
      return patch.change == place.change ? patch.steps.filter { $0.order <= place.order } : []
    }
    return try OverlayPatch.Step.apply(steps, to: base, context)
  }

  /// Whether nothing is applied after a part of a change.
  func ends(with place: ChangePlace) -> Bool {
    guard let last = patches.last else { return true }
    return last.change < place.change
      || (last.change == place.change && last.steps.allSatisfy { $0.order <= place.order })
  }

  subscript(change: Int64) -> OverlayPatch? { patches.first { $0.change == change } }

  /// Whether the last patch that creates or deletes the entity deletes it.
  var deletes: Bool {
    patches.last { patch in patch.steps.contains { $0.effect == .create || $0.effect == .delete } }?
      .deletes ?? false
  }

  /// Adds a patch, or replaces the operation's earlier one.
  mutating func set(_ patch: OverlayPatch) {
    remove(patch.change)
    let index = patches.lastIndex { $0.change < patch.change }.map { $0 + 1 } ?? 0
    patches.insert(patch, at: index)
  }

  /// Adds a step to the patch of an operation.
  ///
  /// - Returns: the patch.
  mutating func add(_ step: OverlayPatch.Step, by change: Int64) -> OverlayPatch {
    var patch = self[change] ?? OverlayPatch(change: change, steps: [])
    patch.add(step)
    set(patch)
    return patch
  }

  mutating func remove(_ change: Int64) { patches.removeAll { $0.change == change } }
}
