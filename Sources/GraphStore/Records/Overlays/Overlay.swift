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

/// The overlays of entities that are kept in memory.
struct MemoryOverlays: Sendable {
  private(set) var byKey: [GraphQL.EntityKey: Overlay] = [:]
  /// The entities that each operation changes.
  private(set) var byChange: [Int64: Set<GraphQL.EntityKey>] = [:]

  subscript(key: GraphQL.EntityKey) -> Overlay? {
    get { byKey[key] }
    set {
      for patch in byKey[key]?.patches ?? [] { forget(patch.change, key) }
      byKey[key] = newValue
      for patch in newValue?.patches ?? [] { byChange[patch.change, default: []].insert(key) }
    }
  }

  private mutating func forget(_ change: Int64, _ key: GraphQL.EntityKey) {
    byChange[change]?.remove(key)
    if byChange[change]?.isEmpty == true { byChange[change] = nil }
  }
}

/// The tables of overlays in the store's file. They are created when a module uses them.
enum OverlayTables {
  static let names = ["overlay_base", "overlay_patch"]

  static let statements = [
    // The known state of an entity that has patches; empty if there is none.
    """
    CREATE TABLE IF NOT EXISTS overlay_base(
      entity TEXT NOT NULL PRIMARY KEY,
      record TEXT NOT NULL) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS overlay_patch(
      entity TEXT NOT NULL,
      change INTEGER NOT NULL,
      effect TEXT NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY(entity, change)) STRICT
    """,
    "CREATE INDEX IF NOT EXISTS overlay_change ON overlay_patch(change)",
    // The objects that are expected to be deleted, which every response may lead to.
    """
    CREATE INDEX IF NOT EXISTS overlay_deletion ON overlay_patch(change) WHERE effect = 'delete'
    """,
  ]
}

/// A change whose parts fit the schema, split by objects.
struct CheckedChange: Sendable {
  enum Step: Sendable {
    /// Fields of an object change.
    case fields(GraphQL.EntityKey, OverlayPatch.Step)
    case delete(GraphQL.EntityKey)
    case edit(ListEdit, Graph.StoredList, isConnection: Bool)
  }

  var steps: [Step] = []
}

/// The changes that a client expects, which are in no file. They are on top of everything that is stored.
struct ExpectedChanges: Sendable {
  private(set) var list: [(id: UInt64, change: CheckedChange)] = []
  private var last: UInt64 = 0

  var isEmpty: Bool { list.isEmpty }

  mutating func add(_ change: CheckedChange) -> UInt64 {
    last += 1
    list.append((last, change))
    return last
  }

  mutating func remove(_ id: UInt64) { list.removeAll { $0.id == id } }

  mutating func removeAll() { list = [] }
}

/// The links in one object's relations that a change has touched.
struct RelationTouch {
  /// Whether a field may have changed as a whole; otherwise only links to ``members`` were added or removed.
  var isWhole = false
  var members: Set<GraphQL.EntityKey> = []

  /// Whether one change may depend on the other.
  func meets(_ other: RelationTouch) -> Bool {
    if isWhole { return other.isWhole || !other.members.isEmpty }
    if other.isWhole { return !members.isEmpty }
    return !members.isDisjoint(with: other.members)
  }
}

extension RelationTouch {
  /// - Parameter relations: those of the object.
  init(_ steps: [OverlayPatch.Step], of key: GraphQL.EntityKey, _ relations: [InverseRelation]) {
    guard !relations.isEmpty else { return }
    for step in steps {
      switch step.effect {
      case .delete, .unlink: isWhole = true
      case .create, .update:
        isWhole = isWhole || relations.contains { step.content.links(of: $0) != nil }
      case .edit:
        guard let (edit, list) = step.edit(of: key),
          relations.contains(where: { $0.field == list.field })
        else { continue }
        members.insert(edit.key)
      }
    }
  }

  /// The differences between two records of an object with relations.
  init(from old: JSONDocument?, to new: JSONDocument?, _ relations: [InverseRelation]) {
    // An object that appears or disappears gains or loses the expected changes of its fields.
    isWhole = (old == nil) != (new == nil)
    for relation in relations {
      let (before, after) = (old?.links(of: relation), new?.links(of: relation))
      // So does a list that becomes known.
      if (before == nil) != (after == nil) { isWhole = true }
      members.formUnion(Set(before ?? []).symmetricDifference(after ?? []))
    }
  }
}

extension JSONDocument {
  /// The links in a field of an object's record; nil if the record does not have the field.
  fileprivate func links(of relation: InverseRelation) -> [GraphQL.EntityKey]? {
    links(of: Array(relation.field.utf8))
  }
}
