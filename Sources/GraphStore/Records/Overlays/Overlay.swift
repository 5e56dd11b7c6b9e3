import GraphJSON
import GraphQLRuntime
import GraphStorage

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
  func visible(_ plan: GraphQL.StoragePlan?) -> JSONDocument? {
    patches.reduce(base) { $1.applied(to: $0, plan) }
  }

  subscript(change: Int64) -> OverlayPatch? { patches.first { $0.change == change } }

  /// Adds a patch, or replaces the operation's earlier one.
  mutating func set(_ patch: OverlayPatch) {
    remove(patch.change)
    let index = patches.lastIndex { $0.change < patch.change }.map { $0 + 1 } ?? 0
    patches.insert(patch, at: index)
  }

  mutating func remove(_ change: Int64) { patches.removeAll { $0.change == change } }
}
