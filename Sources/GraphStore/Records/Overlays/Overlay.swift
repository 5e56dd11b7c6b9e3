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
    let place = patches.lastIndex { $0.change < patch.change }.map { $0 + 1 } ?? 0
    patches.insert(patch, at: place)
  }

  mutating func remove(_ change: Int64) { patches.removeAll { $0.change == change } }
}

/// The expected change of one queued operation to one entity.
struct OverlayPatch: Sendable {
  enum Effect: String, Sendable {
    /// Its fields are merged into the known state, or are the whole state.
    case create
    /// Its fields are merged into the known state, if there is one.
    case update
    /// The entity is deleted.
    case delete
    /// Links to other entities are removed.
    case unlink
  }

  /// The operation's position in its queue.
  let change: Int64
  let effect: Effect
  /// A record with the fields that change; for ``Effect/unlink`` an object with the links.
  let content: JSONDocument

  func applied(to record: JSONDocument?, _ plan: GraphQL.StoragePlan?) -> JSONDocument? {
    switch effect {
    case .delete: return nil
    case .create, .update:
      guard let record else { return effect == .create ? content : nil }
      return record.merging(content)
    case .unlink:
      guard let record, let plan else { return record }
      var remover = LinkRemover(json: record, gone: Set(links))
      return remover.record(plan).flatMap { JSONDocument(record: $0) } ?? record
    }
  }

  /// The links that an ``Effect/unlink`` removes.
  var links: [GraphQL.EntityKey] {
    guard case .array(let elements) = content.json(at: JSONDocument.rootIndex)["links"] else {
      return []
    }
    return elements.compactMap { element in
      if case .string(let text) = element { GraphQL.EntityKey(text) } else { nil }
    }
  }

  init?(change: Int64, effect: String, content: String) {
    guard let effect = Effect(rawValue: effect),
      let json = JSONDocument(record: Array(content.utf8))
    else { return nil }
    self.init(change: change, effect: effect, content: json)
  }

  init(change: Int64, effect: Effect, content: JSONDocument) {
    self.change = change
    self.effect = effect
    self.content = content
  }

  init?(unlinking links: some Sequence<GraphQL.EntityKey>, change: Int64) {
    let list = links.map { ExactKey($0.description) }.sorted().map { JSON.string($0.text) }
    let content: JSON = ["links": .array(list)]
    self.init(change: change, effect: Effect.unlink.rawValue, content: content.description)
  }

  func renaming(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) -> OverlayPatch {
    OverlayPatch(change: change, effect: effect, content: content.renaming(old, to: new))
  }
}

extension JSONDocument {
  var text: String { String(decoding: source(at: JSONDocument.rootIndex), as: UTF8.self) }

  /// The record with the fields of another one merged over its own.
  func merging(_ other: JSONDocument) -> JSONDocument {
    let root = JSONDocument.rootIndex
    return JSONDocument(record: ValueMerge(stored: self, incoming: other).object(root, root))
      ?? self
  }

  /// The record with another text in place of values and links that equal the key `old`.
  func renaming(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) -> JSONDocument {
    var text = text
    for (old, new) in [(old.key, new.key), (old.description, new.description)] {
      text = text.replacing(JSON.string(old).description, with: JSON.string(new).description)
    }
    return JSONDocument(record: Array(text.utf8)) ?? self
  }
}
