import GraphJSON
import GraphQLRuntime

/// Applies renames in a file, in the open transaction of its writer. Applying them again changes
/// nothing.
struct Migration {
  private static let batchSize: Int64 = 256

  let connection: DatabaseConnection
  let typeNumbers: TypeNumbers
  var renaming: RecordRenaming
  var notes: MigrationNotes
  /// The types whose indexes have to be filled again, by their numbers.
  private(set) var touchedTypes: Set<Int64> = []
  /// The connections with new names, by the keys of their heads.
  private var movedConnections: Set<GraphQL.EntityKey> = []
  /// The numbers of types whose rows get the type number or the key of other rows. During the
  /// migration, the column `type` of these rows contains the negative number.
  private var detached: Set<Int64> = []
  /// The entities with overlays.
  private var overlaidEntities: Set<GraphQL.EntityKey> = []

  private struct Row {
    let id: Int64
    let type: Int64
    let key: String
    /// nil for a record that is damaged.
    let json: JSONDocument?
  }

  init(
    _ plan: RenamePlan, notes: MigrationNotes, schema: GraphQL.SchemaTable,
    typeNumbers: TypeNumbers,
    on connection: DatabaseConnection
  ) {
    self.connection = connection
    self.typeNumbers = typeNumbers
    self.notes = notes
    renaming = RecordRenaming(plan: plan, schema: schema)
  }

  var plan: RenamePlan { renaming.plan }

  mutating func run() throws(Graph.StoreError) {
    if try connection.hasTable("overlay_patch") {
      overlaidEntities = Set(
        try connection.texts("SELECT DISTINCT entity FROM overlay_patch").compactMap {
          GraphQL.EntityKey($0)
        })
    }
    try detachRows()
    try renameRows()
    try attachRows()
    try renameErrors()
    if try connection.hasTable("overlay_patch") { try renameOverlays() }
    try renameExtensionTables()
  }

  /// Sets aside the rows whose new type or key is the old one of other rows, so that they do not
  /// collide.
  private mutating func detachRows() throws(Graph.StoreError) {
    let numbers = try typeNumbers.all(on: connection)
    let targets = Set(numbers.keys.map { plan.name(ofRows: $0) })
    for (name, number) in numbers {
      let isConnection = name.contains(".")
      let moves = plan.name(ofRows: name) != name
      guard moves && targets.contains(name) || isConnection && plan.swapsValues else { continue }
      detached.insert(number)
      touchedTypes.insert(number)
      try connection.execute("UPDATE entity SET type = -type WHERE type = ?1", [.integer(number)])
    }
  }

  /// Rows that could not be moved stay where they were, unless another row is there now.
  private mutating func attachRows() throws(Graph.StoreError) {
    for number in detached {
      try connection.execute(
        "UPDATE OR IGNORE entity SET type = -type WHERE type = ?1", [.integer(-number)])
      try connection.execute("DELETE FROM entity WHERE type = ?1", [.integer(-number)])
    }
  }

  private mutating func renameRows() throws(Graph.StoreError) {
    let names = Dictionary(
      uniqueKeysWithValues: try typeNumbers.all(on: connection).map { ($0.value, $0.key) })
    var last: Int64 = 0
    while true {
      let rows = try connection.rows(
        "SELECT record, sum, id, type, key FROM entity WHERE id > ?1 ORDER BY id LIMIT ?2",
        [.integer(last), .integer(Self.batchSize)]
      ) { row in
        Row(
          id: row.integer(2), type: abs(row.integer(3)), key: row.text(4),
          json: row.statement.json(abs(row.integer(3))))
      }
      guard let end = rows.last else { return }
      last = end.id
      for row in rows {
        if let name = names[row.type] { try rename(row, ofType: name) }
      }
    }
  }

  private mutating func rename(_ row: Row, ofType name: String) throws(Graph.StoreError) {
    let old = GraphQL.EntityKey(typeName: name, key: row.key)
    if plan.dropped.contains(name) {
      notes.note(name, .transient)
      return try connection.delete(id: row.id)
    }
    guard plan.mayMove(old) else { return notes.note(name, .noObjectType) }
    let newName = plan.name(ofRow: old)
    guard let json = row.json else {
      if newName != name { notes.note(name, .damaged) }
      return
    }
    renaming.notes = notes
    let record = renaming.record(json, ofRow: newName)
    notes = renaming.notes
    let new = renaming.link(old)
    if new == old, !detached.contains(row.type) {
      guard record != Array(json.source(at: JSONDocument.rootIndex)) else { return }
      try write(record, type: row.type, key: row.key, to: row.id)
      touchedTypes.insert(row.type)
      return
    }
    let number = try typeNumbers.numberForWriting(newName, on: connection)
    let present = try connection.row(type: number, key: new.key)
    guard try mayMove(old, to: new, isTaken: present != nil) else { return }
    touchedTypes.formUnion([row.type, number])
    guard let present else { return try write(record, type: number, key: new.key, to: row.id) }
    try merge(record, of: old, row.id, into: present, new, type: number)
  }

  /// Whether a row moves to another key. The rows of a connection move only if its head moves.
  private mutating func mayMove(
    _ old: GraphQL.EntityKey, to new: GraphQL.EntityKey, isTaken: Bool
  ) throws(Graph.StoreError) -> Bool {
    if new.isOfConnection {
      let head = GraphQL.EntityKey(typeName: new.typeName, key: renaming.headKey(ofRow: new.key))
      if movedConnections.contains(head) { return !isTaken }
      let number = try typeNumbers.numberForWriting(head.typeName, on: connection)
      if try connection.row(type: number, key: head.key) == nil {
        movedConnections.insert(head)
        return true
      }
      notes.note(old.typeName, .conflict)
      return false
    }
    guard isTaken, overlaidEntities.contains(old) || overlaidEntities.contains(new) else {
      return true
    }
    notes.note(old.typeName, .conflict)
    return false
  }

  /// The values under the new name are newer: the object gets the fields that it does not have. The
  /// old row is deleted if nothing else was in it.
  private mutating func merge(
    _ record: [UInt8], of old: GraphQL.EntityKey, _ id: Int64, into present: StoredRow,
    _ new: GraphQL.EntityKey, type: Int64
  ) throws(Graph.StoreError) {
    guard let target = present.record.json, let source = JSONDocument(record: record) else {
      notes.note(old.typeName, .damaged)
      return
    }
    renaming.notes = MigrationNotes()
    let known = renaming.record(target, ofRow: new.typeName)
    guard let known = JSONDocument(record: known) else { return }
    var missing: [(name: String, value: ArraySlice<UInt8>)] = []
    var isWhole = true
    var key = source.firstChild(of: JSONDocument.rootIndex)
    while key < source.end(of: JSONDocument.rootIndex) {
      let value = source.next(after: key)
      let name = source.string(at: key)
      if let other = known.member(name, of: JSONDocument.rootIndex) {
        if !name.hasPrefix("&"), known.source(at: other) != source.source(at: value) {
          notes.note("\(old.typeName).\(GraphQL.StorageKey.fieldName(name))", .conflict)
          isWhole = false
        }
      } else {
        missing.append((name, source.source(at: value)))
      }
      key = source.next(after: value)
    }
    if !missing.isEmpty {
      let merged = missing.reduce(RecordText(known)) { merged, member in
        merged.json?.replacing(Array(member.name.utf8), with: Array(member.value)) ?? merged
      }
      if let text = merged.json?.source(at: JSONDocument.rootIndex) {
        try write(Array(text), type: type, key: new.key, to: present.id)
        // The object is as old as the oldest of its fields.
        try connection.execute(
          """
          UPDATE entity SET changed = min(changed, (SELECT changed FROM entity WHERE id = ?2))
          WHERE id = ?1
          """, [.integer(present.id), .integer(id)])
      }
    }
    if isWhole {
      try connection.delete(id: id)
      notes.changedRows += 1
    }
  }

  private mutating func write(
    _ record: [UInt8], type: Int64, key: String, to id: Int64
  ) throws(Graph.StoreError) {
    try connection.execute(
      "UPDATE entity SET type = ?2, key = ?3 WHERE id = ?1",
      [.integer(id), .integer(type), .text(key)])
    try connection.update(id: id, type: type, record: RecordText(record), changed: nil)
    notes.changedRows += 1
  }
}

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
