import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The expected change of one queued operation to one entity.
struct OverlayPatch: Sendable {
  enum Effect: String, Sendable {
    /// Its fields are merged into the known state, or are the whole state if there is none.
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
