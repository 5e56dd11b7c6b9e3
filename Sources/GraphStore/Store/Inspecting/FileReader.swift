import Foundation
import GraphJSON
import GraphQLRuntime

/// Reads a store's file that another program may use, with a connection that is closed after each read.
///
/// Between two reads, the program finds the file as if there were no reader: it can checkpoint, and remove the
/// log when it closes the store. During a read, its writes and checkpoints continue; a checkpoint leaves the
/// part of the log that the reader needs to the next one. Nothing is written, with one exception: SQLite cannot
/// read a log without its index, so the index is created if only that is missing.
package struct FileReader: Sendable {
  /// The path, without symbolic links in its folder.
  package let path: String

  /// The file need not exist.
  ///
  /// - Throws: ``Graph/StoreError`` `file` if there is no folder at its path.
  package init(file: URL) throws(Graph.StoreError) {
    let directory = try FileSafety.resolved(directory: file.deletingLastPathComponent().path)
    path = (directory as NSString).appendingPathComponent(file.lastPathComponent)
  }

  /// How often a read is repeated when the file was opened or replaced during it, or is empty.
  private static let attempts = 20
  /// The wait for a program that creates its store in an empty file, in seconds.
  var creationInterval = 0.05

  /// Returns what `body` reads of one commit of the file. It is called again if the file was opened or replaced
  /// meanwhile.
  ///
  /// - Throws: ``Graph/StoreError``: `file` if there is no file, `foreignFile`, `newerFormat`, `corrupt`, `busy`
  ///   if a program opens and closes the file all the time; errors of `body`.
  package func read<T>(
    _ body: (FileContents) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T {
    var isEmpty = false
    for _ in 0..<Self.attempts {
      guard let stamp = FileStamp(path: path) else {
        throw Graph.StoreError(.file, "there is no store at '\(path)'")
      }
      guard stamp.isRegular else {
        throw Graph.StoreError(
          .unsafePath, "'\(path)' is not a regular file; use the path of a store's file")
      }
      do throws(Graph.StoreError) {
        let result = try read(stamp, body)
        isEmpty = result == nil
        if let result, isValid(stamp) { return result }
        if isEmpty { Thread.sleep(forTimeInterval: creationInterval) }
      } catch {
        if isValid(stamp) { throw error }
      }
    }
    if isEmpty { throw Self.notAStore }
    throw Graph.StoreError(.busy, "other programs open and close '\(path)' all the time; retry")
  }

  /// Whether what was read is one commit of the file at the path. Without a log, the file is read without
  /// locks, so no program may have opened it meanwhile.
  private func isValid(_ before: FileStamp) -> Bool {
    guard let now = FileStamp(path: path), now.isSameFile(as: before) else { return false }
    return before.log != nil || now == before
  }

  /// - Returns: nil for an empty database, in which a program may be creating its store.
  private func read<T>(
    _ stamp: FileStamp, _ body: (FileContents) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T? {
    let mode: DatabaseConnection.Mode =
      stamp.log == nil ? .readerOfClosedFile : stamp.hasIndex ? .readerWithoutWriting : .reader
    let connection: DatabaseConnection
    do throws(Graph.StoreError) {
      connection = try DatabaseConnection(path: path, mode: mode)
      if try Self.isEmpty(connection) { return nil }
      try Self.checkHeader(of: connection)
    } catch {
      throw error.opening(path)
    }
    try connection.run(.begin)
    // A deferred transaction has its snapshot from its first read on.
    try connection.run(.pinSnapshot)
    return try body(FileContents(connection: connection, stamp: stamp))
  }

  private static func isEmpty(
    _ connection: DatabaseConnection
  ) throws(Graph.StoreError) -> Bool {
    guard try connection.texts("PRAGMA application_id").first == "0" else { return false }
    return try connection.texts("SELECT count(*) FROM sqlite_schema").first == "0"
  }

  private static var notAStore: Graph.StoreError {
    Graph.StoreError(.foreignFile, "the file is not a store")
  }

  /// - Throws: `foreignFile`, `newerFormat`.
  static func checkHeader(of connection: DatabaseConnection) throws(Graph.StoreError) {
    let application = try connection.texts("PRAGMA application_id").first
    guard application == "\(StoreFile.applicationID)" else {
      throw notAStore
    }
    let format = try connection.texts("PRAGMA user_version").first.flatMap { Int64($0) } ?? 0
    guard format <= StoreFile.format else {
      throw Graph.StoreError(
        .newerFormat, "the file has format \(format); this version reads \(StoreFile.format)")
    }
  }
}

/// One commit of a store's file; valid only during the call that receives it.
package struct FileContents {
  let connection: DatabaseConnection
  /// The stamp of the file before the read.
  package let stamp: FileStamp

  /// The number of logouts in the file.
  package func generation() throws(Graph.StoreError) -> UInt64 { try connection.generation() }

  /// The names of a table's columns; empty if there is no such table.
  package func columns(of table: String) throws(Graph.StoreError) -> [String] {
    try connection.rows("SELECT name FROM pragma_table_info(?1)", [.text(table)]) { $0.text(0) }
  }

  /// The rows of a table of another module.
  package func rows<T>(
    _ sql: String, _ values: [ExtensionValue] = [], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    try connection.rows(sql, values, read)
  }
}

/// The objects of a store's file as they were last read, to find the differences to a later commit. It keeps a
/// copy of all records.
package struct ObservedObjects: Sendable {
  /// One object that differs between two commits.
  package struct Change: Sendable {
    package enum Kind: String, Sendable { case added, changed, deleted, damaged }

    package let kind: Kind
    /// Its type and key, as `Type:key`.
    package let object: String
    /// The fields of a new object, or those of a changed one whose values differ, with their new values; null for
    /// a field that was removed. Empty for other kinds.
    package let fields: [JSON.Object.Member]
  }

  /// An object with the text of its record, which is empty if it is damaged.
  fileprivate struct Row {
    let object: String
    let checksum: Int64
    let record: [UInt8]
  }

  /// By the numbers of their rows, which are never reused.
  private var rows: [Int64: Row] = [:]
  /// The number of objects of each type, by its name.
  package private(set) var counts: [String: Int] = [:]

  package init() {}

  /// The rows of one commit that differ from the known ones, to be compared after the read has ended: a
  /// checkpoint cannot reuse the log during a read.
  package struct Reading {
    fileprivate var present: Set<Int64> = []
    fileprivate var counts: [String: Int] = [:]
    fileprivate var rows: [(number: Int64, row: Row)] = []
  }

  package func reading(of contents: FileContents) throws(Graph.StoreError) -> Reading {
    let names = Dictionary(
      try contents.rows("SELECT id, name FROM type") { ($0.integer(0), $0.text(1)) },
      uniquingKeysWith: { first, _ in first })
    let found = try contents.rows("SELECT id, type, sum FROM entity ORDER BY id") {
      (number: $0.integer(0), type: $0.integer(1), checksum: $0.integer(2))
    }
    var reading = Reading()
    var counts: [Int64: Int] = [:]
    for entity in found {
      reading.present.insert(entity.number)
      counts[entity.type, default: 0] += 1
      if rows[entity.number]?.checksum == entity.checksum { continue }
      let row = try contents.row(entity.number, ofType: names[entity.type] ?? "")
      if let row { reading.rows.append((entity.number, row)) }
    }
    for (type, count) in counts { reading.counts[names[type] ?? "", default: 0] += count }
    return reading
  }

  /// Takes over a commit.
  ///
  /// - Returns: the differences to the last one, in the order of the objects' insertion, deleted ones last.
  package mutating func update(from reading: Reading) -> [Change] {
    counts = reading.counts
    var gone: [String: [UInt8]] = [:]
    for (number, row) in rows where !reading.present.contains(number) {
      gone[row.object] = row.record
      rows[number] = nil
    }
    var changes: [Change] = []
    for (number, row) in reading.rows {
      // An object that was deleted and stored again has another row.
      let old =
        rows.updateValue(row, forKey: number)?.record ?? gone.removeValue(forKey: row.object)
      if old != row.record {
        changes.append(Self.change(of: row.object, from: old, to: row.record))
      }
    }
    return changes + gone.keys.sorted().map { Change(kind: .deleted, object: $0, fields: []) }
  }

  private static func change(of object: String, from old: [UInt8]?, to new: [UInt8]) -> Change {
    guard case .object(let record)? = try? JSON(parsing: new) else {
      return Change(kind: .damaged, object: object, fields: [])
    }
    guard let old else { return Change(kind: .added, object: object, fields: record.members) }
    let earlier: JSON.Object
    if case .object(let known)? = try? JSON(parsing: old) { earlier = known } else { earlier = [:] }
    let changed = record.members.filter { earlier[$0.key] != $0.value }
    let removed = earlier.members.filter { record[$0.key] == nil }
    return Change(
      kind: .changed, object: object,
      fields: changed + removed.map { JSON.Object.Member(key: $0.key, value: .null) })
  }
}

extension FileContents {
  // Safe: the bytes of the record are copied during the call.
  fileprivate func row(
    _ number: Int64, ofType name: String
  ) throws(Graph.StoreError) -> ObservedObjects.Row? {
    try rows(
      "SELECT record, sum, key, type FROM entity WHERE id = ?1", [.integer(number)]
    ) { row in
      let record = unsafe row.statement.withRecord(row.integer(3)) { unsafe Array($0) }
      return ObservedObjects.Row(
        object: GraphQL.EntityKey(typeName: name, key: row.text(2)).description,
        checksum: row.integer(1), record: record ?? [])
    }.first
  }
}
