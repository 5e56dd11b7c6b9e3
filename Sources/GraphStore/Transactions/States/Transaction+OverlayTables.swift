import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Creates the tables of overlays, which a logout empties.
  package func createOverlayTables() throws(Graph.StoreError) -> [String] {
    for statement in OverlayTables.statements { try execute(statement) }
    states.hasOverlays = nil
    return OverlayTables.names
  }

  /// Whether an entity that is kept in the file may have an overlay.
  var mayHaveOverlays: Bool {
    get throws(Graph.StoreError) {
      guard let connection else { return false }
      if let known = states.hasOverlays { return known }
      var has = try connection.hasTable("overlay_patch")
      if has { has = try !connection.texts("SELECT entity FROM overlay_patch LIMIT 1").isEmpty }
      states.hasOverlays = has
      return has
    }
  }

  /// The stored overlay of an entity.
  func overlay(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> Overlay? {
    if memory.overlays.byKey.isEmpty, try !mayHaveOverlays { return nil }
    guard isInFile(key) else { return memory.overlays[key] }
    let patches = try rows(
      "SELECT change, effect, content FROM overlay_patch WHERE entity = ?1 ORDER BY change",
      [.text(key.description)]
    ) { row in
      OverlayPatch(change: row.integer(0), effect: row.text(1), content: row.text(2))
    }
    guard !patches.isEmpty else { return nil }
    let base = try rows(
      "SELECT record FROM overlay_base WHERE entity = ?1", [.text(key.description)]
    ) { JSONDocument(record: Array($0.text(0).utf8)) }
    return Overlay(base: base.first ?? nil, patches: patches.compactMap { $0 })
  }

  /// Writes the base of a state's overlay, or deletes it from the file if there is no overlay left.
  func writeBase(of state: EntityState) throws(Graph.StoreError) {
    guard let connection, isInFile(state.key) else { return }
    let entity = ExtensionValue.text(state.key.description)
    guard let overlay = state.overlay else {
      try connection.execute("DELETE FROM overlay_base WHERE entity = ?1", [entity])
      return
    }
    try connection.execute(
      "INSERT OR REPLACE INTO overlay_base(entity, record) VALUES(?1, ?2)",
      [entity, .text(overlay.base.map { storable($0, state.key) } ?? "")])
  }

  func write(_ patch: OverlayPatch, of key: GraphQL.EntityKey) throws(Graph.StoreError) {
    noteLinks(of: patch, key)
    guard isInFile(key) else { return try noteInMemory(patch.change) }
    states.hasOverlays = true
    let writable =
      policies.leadsToTransient(key.typeName)
      ? patch.naming { !policies.isTransient($0.typeName) } : patch
    let stored = writable.stored { storable($0, key) }
    try execute(
      """
      INSERT OR REPLACE INTO overlay_patch(entity, change, effect, content)
      VALUES(?1, ?2, ?3, ?4)
      """,
      [
        .text(key.description), .integer(patch.change), .text(stored.effect), .text(stored.content),
      ])
  }

  /// Notes in the file that an operation has a patch in memory. The row is deleted with the operation, also by
  /// another process.
  private func noteInMemory(_ change: Int64) throws(Graph.StoreError) {
    guard connection != nil else { return }
    states.hasOverlays = true
    try execute(
      """
      INSERT OR IGNORE INTO overlay_patch(entity, change, effect, content)
      VALUES('', ?1, 'memory', '{}')
      """, [.integer(change)])
  }

  /// The operations with patches in memory that no process has ended.
  func changesInMemory() throws(Graph.StoreError) -> Set<Int64> {
    Set(try rows("SELECT change FROM overlay_patch WHERE entity = ''") { $0.integer(0) })
  }

  func deletePatch(of key: GraphQL.EntityKey, _ change: Int64) throws(Graph.StoreError) {
    guard isInFile(key) else { return }
    try execute(
      "DELETE FROM overlay_patch WHERE entity = ?1 AND change = ?2",
      [.text(key.description), .integer(change)])
  }

  func deletePatches(of key: GraphQL.EntityKey) throws(Graph.StoreError) {
    guard isInFile(key) else { return }
    try execute("DELETE FROM overlay_patch WHERE entity = ?1", [.text(key.description)])
  }

  /// The part of a record that the file may have, see ``MemoryOnlyFields``.
  private func storable(_ record: JSONDocument, _ key: GraphQL.EntityKey) -> String {
    guard policies.leadsToTransient(key.typeName),
      let stored = MemoryOnlyFields(policies: policies).split(record, ofType: key.typeName)?.stored
    else { return record.text }
    return stored.json?.text ?? record.text
  }

  func isInFile(_ key: GraphQL.EntityKey) -> Bool {
    connection != nil && !policies.isTransient(key.typeName)
  }
}

// The steps of expected changes, and the state that readers see because of them.

extension Graph.Transaction {
  /// The state of an entity without the expected changes after a place.
  func record(
    of state: EntityState, through place: ChangePlace
  ) throws(Graph.StoreError) -> RecordText? {
    guard let overlay = state.overlay, !overlay.ends(with: place) else { return state.record }
    return try overlay.visible(through: place, patchContext(of: state.key)).map(RecordText.init)
  }

  /// Adds a step to the patch of an operation.
  func addStep(
    _ step: OverlayPatch.Step, to state: EntityState, by change: Int64
  ) throws(Graph.StoreError) {
    var overlay = state.overlay ?? Overlay(base: state.json)
    // Operations nearly always come in their order: then the visible state is the base for the
    // next.
    let isLast = overlay.ends(with: ChangePlace(change: change, order: step.order))
    try write(overlay.add(step, by: change), of: state.key)
    let context = patchContext(of: state.key)
    setOverlay(
      state, with: overlay,
      showing: isLast
        ? try step.applied(to: state.json, context) : try overlay.visible(context))
  }

  /// Replaces the patch of an operation.
  func setOverlay(_ state: EntityState, with patch: OverlayPatch) throws(Graph.StoreError) {
    var overlay = state.overlay ?? Overlay(base: state.json)
    overlay.set(patch)
    try write(patch, of: state.key)
    try setOverlay(state, with: overlay)
  }

  func setOverlay(_ state: EntityState, with overlay: Overlay) throws(Graph.StoreError) {
    guard !overlay.patches.isEmpty else { return removeOverlay(state, base: overlay.base) }
    setOverlay(
      state, with: overlay, showing: try overlay.visible(patchContext(of: state.key)))
  }

  private func setOverlay(
    _ state: EntityState, with overlay: Overlay, showing visible: JSONDocument?
  ) {
    state.setOverlay(overlay, isBaseChanged: state.overlay == nil)
    if !isInFile(state.key) { memory.overlays[state.key] = overlay }
    show(visible, in: state)
  }

  func removeOverlay(_ state: EntityState) throws(Graph.StoreError) {
    if let overlay = state.overlay { removeOverlay(state, base: overlay.base) }
  }

  private func removeOverlay(_ state: EntityState, base: JSONDocument?) {
    state.setOverlay(nil, isBaseChanged: true)
    if !isInFile(state.key) { memory.overlays[state.key] = nil }
    show(base, in: state)
  }

  private func show(_ record: JSONDocument?, in state: EntityState) {
    if state.change(record.map(RecordText.init), isFromResponse: false) { changed.append(state) }
  }
}

extension Graph.Transaction {
  /// The known state of an entity.
  func base(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    try entityState(of: key).base?.json
  }

  /// The known state of an entity whose visible state was read already.
  func base(
    of key: GraphQL.EntityKey, visible: JSONDocument
  ) throws(Graph.StoreError) -> JSONDocument? {
    if memory.overlays.byKey.isEmpty, try !mayHaveOverlays { return visible }
    let state = try entityState(of: key)
    return state.overlay == nil ? visible : state.overlay?.base
  }

  /// Stores the known state of an entity with an overlay.
  ///
  /// - Returns: the state that readers see now.
  func rebase(_ state: EntityState, on record: RecordText?) -> RecordText? {
    guard var overlay = state.overlay else { return record }
    noteRelations(of: state.key, from: overlay.base, to: record?.json)
    overlay.base = record?.json
    state.setOverlay(overlay, isBaseChanged: true)
    if !isInFile(state.key) { memory.overlays[state.key] = overlay }
    do {
      return try overlay.visible(patchContext(of: state.key)).map(RecordText.init)
    } catch {
      // An object that cannot be read counts as missing; the error occurs with its next read.
      return overlay.base.map(RecordText.init)
    }
  }

  func patchContext(of key: GraphQL.EntityKey) -> PatchContext {
    PatchContext(key: key, plan: planner.plan(ofType: key.typeName), schema: schema) {
      [unowned self] key throws(Graph.StoreError) in try entityState(of: key).json
    }
  }
}

extension Graph.Transaction {
  /// Notes the objects to which a patch links.
  func noteLinks(of patch: OverlayPatch, _ key: GraphQL.EntityKey) {
    guard states.linked != nil, !key.isOfConnection else { return }
    for object in links(of: patch, key) { states.linked?[object, default: []].insert(key) }
  }

  private func links(of patch: OverlayPatch, _ key: GraphQL.EntityKey) -> [GraphQL.EntityKey] {
    let relations = policies.inverses(ofType: key.typeName)
    var links: [GraphQL.EntityKey] = []
    for step in patch.steps {
      switch step.effect {
      case .create, .update:
        for relation in relations {
          links += step.content.links(of: Array(relation.field.utf8)) ?? []
        }
      case .edit: if let (edit, _) = step.edit(of: key) { links.append(edit.key) }
      case .delete, .unlink: break
      }
    }
    return links
  }
}

// Changes of relations are noted here, and the expected changes that depend on them are made again later.

extension Graph.Transaction {
  /// Links of an object with expected changes, or in such a change, that are not what they were.
  struct RelationChange {
    let key: GraphQL.EntityKey
    let touch: RelationTouch
    /// Only the changes of later operations depend on it.
    let after: Int64
  }

  /// Notes that an operation's change of an entity begins or ends.
  func noteRelations(of key: GraphQL.EntityKey, in patch: OverlayPatch) {
    note(
      RelationTouch(patch.steps, of: key, policies.inverses(ofType: key.typeName)), of: key,
      after: patch.change)
  }

  /// Notes that the known state of an entity with expected changes is another one.
  func noteRelations(of key: GraphQL.EntityKey, from old: JSONDocument?, to new: JSONDocument?) {
    let relations = policies.inverses(ofType: key.typeName)
    if !relations.isEmpty { note(RelationTouch(from: old, to: new, relations), of: key) }
  }

  /// Notes that objects to which the expected changes of an entity link have appeared or disappeared.
  func noteRelations(of key: GraphQL.EntityKey, to members: Set<GraphQL.EntityKey>) {
    if !policies.inverses(ofType: key.typeName).isEmpty {
      note(RelationTouch(members: members), of: key)
    }
  }

  /// Notes that an entity with expected changes has appeared or disappeared.
  func noteRelations(of key: GraphQL.EntityKey) {
    if !policies.inverses(ofType: key.typeName).isEmpty {
      note(RelationTouch(isWhole: true), of: key)
    }
  }

  private func note(_ touch: RelationTouch, of key: GraphQL.EntityKey, after: Int64 = .min) {
    if touch.isWhole || !touch.members.isEmpty {
      relationChanges.append(RelationChange(key: key, touch: touch, after: after))
    }
  }
}
