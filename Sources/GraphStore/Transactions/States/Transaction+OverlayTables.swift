import GraphJSON
import GraphQLRuntime

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
