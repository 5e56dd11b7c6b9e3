import GraphJSON
import GraphQLRuntime

// The data in the file, other than records, that names entities, types or fields. Rows that change
// names may swap them, so all of them first get names that begin with `!`, as no type's does.

extension Migration {
  mutating func renameErrors() throws(Graph.StoreError) {
    let rows = try connection.rows("SELECT entity, field FROM field_error", []) {
      ($0.text(0), $0.text(1))
    }
    var changes:
      [(key: GraphQL.EntityKey, new: GraphQL.EntityKey, field: String, path: FieldErrors.Path)] =
        []
    for (entity, field) in rows {
      guard let key = GraphQL.EntityKey(entity), let path = FieldErrors.path(field) else {
        continue
      }
      let new = renaming.link(key)
      let newPath = renaming.path(path, ofRow: new.typeName)
      if new == key, newPath == path { continue }
      changes.append((key, new, field, newPath))
      try connection.execute(
        "UPDATE field_error SET entity = '!' || entity WHERE entity = ?1 AND field = ?2",
        [.text(entity), .text(field)])
    }
    for (key, new, field, path) in changes {
      let values: [ExtensionValue] = [.text("!\(key)"), .text(field)]
      let moved = try connection.rows(
        """
        UPDATE OR IGNORE field_error SET entity = ?3, field = ?4 WHERE entity = ?1 AND field = ?2
        RETURNING 1
        """,
        values + [.text(new.description), .text(FieldErrors.text(path))]
      ) { _ in true }
      guard moved.isEmpty else { continue }
      let name = FieldErrors.path(field)?.first?.text ?? ""
      notes.note("\(key.typeName).\(GraphQL.StorageKey.fieldName(name))", .conflict)
      try connection.execute(
        "UPDATE OR IGNORE field_error SET entity = ?3 WHERE entity = ?1 AND field = ?2",
        values + [.text(key.description)])
      try connection.execute("DELETE FROM field_error WHERE entity = ?1 AND field = ?2", values)
    }
  }

  mutating func renameOverlays() throws(Graph.StoreError) {
    try renameBases()
    try renamePatches()
  }

  private mutating func renameBases() throws(Graph.StoreError) {
    let bases = try connection.rows("SELECT entity, record FROM overlay_base", []) {
      ($0.text(0), $0.text(1))
    }
    var moves: [(entity: String, new: String, text: String)] = []
    for (entity, record) in bases {
      guard let (new, text) = renamed(entity, record) else { continue }
      let isMoved = new != entity
      if isMoved { moves.append((entity, new, text)) }
      try connection.execute(
        "UPDATE overlay_base SET entity = ?2, record = ?3 WHERE entity = ?1",
        [.text(entity), .text(isMoved ? "!\(entity)" : entity), .text(isMoved ? record : text)])
    }
    for (entity, new, text) in moves {
      let moved = try connection.rows(
        "UPDATE OR IGNORE overlay_base SET entity = ?2, record = ?3 WHERE entity = ?1 RETURNING 1",
        [.text("!\(entity)"), .text(new), .text(text)]
      ) { _ in true }
      guard moved.isEmpty else { continue }
      note(conflictOf: entity)
      try connection.execute(
        "UPDATE OR IGNORE overlay_base SET entity = ?2 WHERE entity = ?1",
        [.text("!\(entity)"), .text(entity)])
    }
    try connection.execute("DELETE FROM overlay_base WHERE entity LIKE '!%'", [])
  }

  private mutating func renamePatches() throws(Graph.StoreError) {
    let patches = try connection.rows(
      "SELECT entity, change, effect, content FROM overlay_patch", []
    ) { (entity: $0.text(0), change: $0.integer(1), effect: $0.text(2), content: $0.text(3)) }
    var moves: [(entity: String, change: Int64, new: String, text: String)] = []
    for patch in patches {
      guard let (new, text) = renamed(patch.entity, patch.content, patch.effect) else { continue }
      let isMoved = new != patch.entity
      if isMoved { moves.append((patch.entity, patch.change, new, text)) }
      try connection.execute(
        "UPDATE overlay_patch SET entity = ?3, content = ?4 WHERE entity = ?1 AND change = ?2",
        [
          .text(patch.entity), .integer(patch.change),
          .text(isMoved ? "!\(patch.entity)" : patch.entity),
          .text(isMoved ? patch.content : text),
        ])
    }
    for (entity, change, new, text) in moves {
      let values: [ExtensionValue] = [.text("!\(entity)"), .integer(change)]
      let moved = try connection.rows(
        """
        UPDATE OR IGNORE overlay_patch SET entity = ?3, content = ?4
        WHERE entity = ?1 AND change = ?2 RETURNING 1
        """, values + [.text(new), .text(text)]
      ) { _ in true }
      guard moved.isEmpty else { continue }
      note(conflictOf: entity)
      try connection.execute(
        "UPDATE OR IGNORE overlay_patch SET entity = ?3 WHERE entity = ?1 AND change = ?2",
        values + [.text(entity)])
    }
    try connection.execute("DELETE FROM overlay_patch WHERE entity LIKE '!%'", [])
  }

  private mutating func note(conflictOf entity: String) {
    notes.note(GraphQL.EntityKey(entity)?.typeName ?? "", .conflict)
  }

  /// - Parameter effect: that of a patch; nil for a record.
  /// - Returns: nil if nothing changes.
  private mutating func renamed(
    _ entity: String, _ content: String, _ effect: String? = nil
  ) -> (entity: String, content: String)? {
    guard let key = GraphQL.EntityKey(entity) else { return nil }
    let new = renaming.link(key)
    var text = content
    if let effect {
      if let patch = OverlayPatch(change: 0, effect: effect, content: content) {
        text = renaming.patch(patch, of: new).stored { $0.text }.content
      }
    } else if let json = JSONDocument(record: Array(content.utf8)) {
      text = String(decoding: renaming.record(json, ofRow: new.typeName), as: UTF8.self)
    }
    return new == key && text == content ? nil : (new.description, text)
  }

  /// Renames the objects in the column `entity` of the extension tables. The overlays were renamed
  /// before. Documents are not changed.
  mutating func renameExtensionTables() throws(Graph.StoreError) {
    let tables = try connection.texts(
      """
      SELECT '"' || replace(name, '"', '""') || '"' FROM sqlite_schema s
      WHERE type = 'table' AND name IN (SELECT name FROM side_table)
        AND name NOT IN ('overlay_base', 'overlay_patch')
        AND EXISTS(SELECT 1 FROM pragma_table_info(s.name) WHERE name = 'entity')
      """)
    guard !tables.isEmpty else { return }
    let documents = try connection.unsentWork().map(\.document)
    for table in tables {
      for entity in try connection.texts("SELECT DISTINCT entity FROM \(table)") {
        guard let key = GraphQL.EntityKey(entity) else { continue }
        let new = renaming.link(key)
        if new == key { continue }
        try connection.execute(
          "UPDATE \(table) SET entity = ?2 WHERE entity = ?1",
          [.text(entity), .text("!\(new)")])
      }
      try connection.execute(
        "UPDATE \(table) SET entity = substr(entity, 2) WHERE entity LIKE '!%'", [])
    }
    for old in plan.types.keys {
      let count = documents.count { $0.hasWord(old) }
      if count > 0 { notes.note(old, .queuedOperation, count: count) }
    }
  }
}

extension String {
  /// Whether the text has a name that is not part of a longer one.
  fileprivate func hasWord(_ word: String) -> Bool {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
  }
}
