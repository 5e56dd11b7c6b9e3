import GraphQLRuntime

/// The records of expected changes for the last snapshot of each connection, since an object's links are read one
/// by one, and nearly always in the same state.
final class ExpectedRecordsCache: Sendable {
  private struct Entry: Sendable {
    /// Another connection may get the address of a closed one.
    weak var connection: DatabaseConnection?
    /// SQLite's number for the state of the file, which is comparable only for one connection.
    let dataVersion: Int64
    /// That of the state in memory.
    let version: UInt64
    let records: ExpectedRecords
  }

  private let entries = Locked<[ObjectIdentifier?: Entry]>([:])

  /// - Parameters:
  ///   - version: the state in memory.
  ///   - connection: one with a snapshot; nil for a store without a file.
  func records(
    for version: UInt64, on connection: DatabaseConnection?,
    make: () throws(Graph.StoreError) -> ExpectedRecords
  ) throws(Graph.StoreError) -> ExpectedRecords {
    let id = connection.map(ObjectIdentifier.init)
    let dataVersion = try connection?.integer(.dataVersion) ?? 0
    let known = entries.withLock { entries -> ExpectedRecords? in
      guard let entry = entries[id], entry.connection === connection, entry.version == version,
        entry.dataVersion == dataVersion
      else { return nil }
      return entry.records
    }
    if let known { return known }
    let records = try make()
    entries.withLock {
      $0[id] = Entry(
        connection: connection, dataVersion: dataVersion, version: version, records: records)
    }
    return records
  }

  func removeAll() { entries.withLock { $0 = [:] } }
}
