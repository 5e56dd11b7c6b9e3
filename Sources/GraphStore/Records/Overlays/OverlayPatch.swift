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
    /// An object is added to lists of the entity, or removed from them.
    case edit
  }

  /// The steps are applied in order.
  struct Step: Sendable {
    let effect: Effect
    /// A record with the fields that change; for ``Effect/unlink`` an object with the links, for
    /// ``Effect/edit`` one with the edit, and for ``Effect/delete`` one with the entities that keep their links.
    let content: JSONDocument
    /// The position in the change of the part that this step belongs to. A later one is applied later.
    var order = 0
    /// Whether the step is the other side of a relation, made from the state before its change. It is made
    /// again when that state changes.
    var isDerived = false
  }

  /// The operation's position in its queue.
  let change: Int64
  private(set) var steps: [Step]

  init(change: Int64, steps: [Step]) {
    self.change = change
    self.steps = steps
  }

  mutating func add(_ step: Step) {
    let place = steps.lastIndex { $0.order <= step.order }.map { $0 + 1 } ?? 0
    steps.insert(step, at: place)
  }

  /// Whether the entity does not exist after this patch.
  var deletes: Bool {
    steps.last { $0.effect == .delete || $0.effect == .create }?.effect == .delete
  }

  func renaming(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) -> OverlayPatch {
    OverlayPatch(
      change: change,
      steps: steps.map { $0.with(content: $0.content.renaming(old, to: new)) })
  }
}

/// The state of the store that a patch needs.
struct PatchContext {
  let key: GraphQL.EntityKey
  let plan: GraphQL.StoragePlan?
  let schema: GraphQL.SchemaTable
  /// Reads an entity as readers see it.
  let load: (GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?
}

extension OverlayPatch.Step {
  /// The same step with another content.
  func with(content: JSONDocument) -> Self {
    Self(effect: effect, content: content, order: order, isDerived: isDerived)
  }

  /// Applies steps in their order. Successive edits of one list are applied together, so that a long list is written
  /// once.
  static func apply(
    _ steps: [Self], to record: JSONDocument?, _ context: PatchContext
  ) throws(Graph.StoreError) -> JSONDocument? {
    var record = record
    var edits: [ListEdit] = []
    var list: Graph.StoredList?
    func applyEdits() throws(Graph.StoreError) {
      if let list, !edits.isEmpty {
        record = try record?.applying(edits, to: list, context.schema, load: context.load)
      }
      edits = []
    }
    for step in steps {
      if !context.key.isOfConnection, let (edit, edited) = step.edit(of: context.key) {
        if edited != list { try applyEdits() }
        list = edited
        edits.append(edit)
      } else {
        try applyEdits()
        record = try step.applied(to: record, context)
      }
    }
    try applyEdits()
    return record
  }

  func applied(
    to record: JSONDocument?, _ context: PatchContext
  ) throws(Graph.StoreError) -> JSONDocument? {
    switch effect {
    case .delete: return nil
    case .create, .update:
      guard let record else { return effect == .create ? content : nil }
      return record.merging(content)
    case .unlink:
      guard let record, let plan = context.plan else { return record }
      var remover = LinkRemover(json: record, gone: Set(links))
      return remover.record(plan).flatMap { JSONDocument(record: $0) } ?? record
    case .edit:
      guard let record, let (edit, list) = edit(of: context.key) else { return record }
      // The pages of a connection stay as the server has sent them; its reader applies the edits.
      if context.key.isOfConnection { return record.adding(edit) }
      return try record.applying([edit], to: list, context.schema, load: context.load)
    }
  }

  /// The links that an ``OverlayPatch/Effect/unlink`` removes.
  var links: [GraphQL.EntityKey] { keys("links") }

  /// The entities that keep their links to a deleted one.
  var keepers: [GraphQL.EntityKey] { keys("kept") }

  private func keys(_ name: String) -> [GraphQL.EntityKey] {
    guard case .array(let elements) = content.json(at: JSONDocument.rootIndex)[name] else {
      return []
    }
    return elements.compactMap { element in
      if case .string(let text) = element { GraphQL.EntityKey(text) } else { nil }
    }
  }

  /// The edit of an ``OverlayPatch/Effect/edit``, and the lists of an entity to which it applies.
  func edit(of owner: GraphQL.EntityKey) -> (ListEdit, Graph.StoredList)? {
    guard effect == .edit else { return nil }
    let json = content.json(at: JSONDocument.rootIndex)
    guard let edit = ListEdit(json), let list = Graph.StoredList(json, of: owner) else {
      return nil
    }
    return (edit, list)
  }

  init?(unlinking links: some Sequence<GraphQL.EntityKey>) {
    self.init(.unlink, ["links": Self.list(links)])
  }

  /// - Parameter keepers: the entities that keep their links.
  init?(deletionKeptBy keepers: some Sequence<GraphQL.EntityKey>) {
    let list = Self.list(keepers)
    self.init(.delete, list == [] ? [:] : ["kept": list])
  }

  init?(_ edit: ListEdit, _ list: Graph.StoredList) {
    self.init(.edit, .object(JSON.Object(edit.json.members + list.json.members)))
  }

  init?(_ effect: OverlayPatch.Effect, _ content: JSON) {
    guard let content = JSONDocument(record: Array(content.description.utf8)) else { return nil }
    self.init(effect: effect, content: content)
  }

  private static func list(_ keys: some Sequence<GraphQL.EntityKey>) -> JSON {
    .array(keys.map { ExactKey($0.description) }.sorted().map { .string($0.text) })
  }
}

// A patch whose only step is the first part of its change is stored as its effect and its content. Others have a
// list of steps in their content; their effect is then `delete` if the entity does not exist after them, so that
// deletions are found by their effect.

extension OverlayPatch {
  static let stepsEffect = "steps"

  /// - Parameter storable: the part of a content that may be in the file.
  func stored(_ storable: (JSONDocument) -> String) -> (effect: String, content: String) {
    if steps.count == 1, steps[0].order == 0, !steps[0].isDerived {
      return (steps[0].effect.rawValue, storable(steps[0].content))
    }
    let list = steps.map { step in
      let order = step.order == 0 ? "" : #","order":\#(step.order)"#
      let isDerived = step.isDerived ? #","isDerived":true"# : ""
      return
        #"{"effect":"\#(step.effect.rawValue)","content":\#(storable(step.content))\#(order)\#(isDerived)}"#
    }
    return (
      deletes ? Effect.delete.rawValue : Self.stepsEffect,
      #"{"steps":[\#(list.joined(separator: ","))]}"#
    )
  }

  /// The patch without the keys of some entities in its edits, links and keepers.
  func naming(only isNamed: (GraphQL.EntityKey) -> Bool) -> OverlayPatch {
    OverlayPatch(
      change: change,
      steps: steps.compactMap { step in
        switch step.effect {
        case .create, .update: return step
        case .delete:
          return Step(deletionKeptBy: step.keepers.filter(isNamed))
            .map { step.with(content: $0.content) }
        case .unlink:
          return Step(unlinking: step.links.filter(isNamed)).map { step.with(content: $0.content) }
        case .edit:
          let edit = ListEdit(step.content.json(at: JSONDocument.rootIndex))
          return edit.map { isNamed($0.key) } ?? true ? step : nil
        }
      })
  }

  /// nil for a patch that this version cannot read.
  init?(change: Int64, effect: String, content: String) {
    guard let json = JSONDocument(record: Array(content.utf8)) else { return nil }
    guard case .array(let list)? = json.json(at: JSONDocument.rootIndex)["steps"],
      effect == Self.stepsEffect || effect == Effect.delete.rawValue
    else {
      guard let effect = Effect(rawValue: effect) else { return nil }
      self.init(change: change, steps: [Step(effect: effect, content: json)])
      return
    }
    let steps = list.compactMap { step -> Step? in
      guard case .string(let name)? = step["effect"], let effect = Effect(rawValue: name),
        let content = step["content"]
      else { return nil }
      var result = Step(effect, content)
      result?.order = step["order"]?.integer ?? 0
      result?.isDerived = step["isDerived"] == true
      return result
    }
    self.init(change: change, steps: steps)
  }
}
