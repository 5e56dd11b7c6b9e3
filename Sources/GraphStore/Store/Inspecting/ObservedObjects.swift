import GraphJSON
import GraphQLRuntime

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
