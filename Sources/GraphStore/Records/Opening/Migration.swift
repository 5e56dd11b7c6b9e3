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
