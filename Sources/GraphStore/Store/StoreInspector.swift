import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Reads the file of a store without its schema, and without changing it: for tools and reports.
  ///
  /// It returns the user's data as it is stored.
  public final class StoreInspector: Sendable {
    /// The file's path.
    public let path: String
    let pool: ConnectionPool

    /// Opens a file for reading.
    ///
    /// - Throws: ``StoreError``: `file` if there is none, `foreignFile`, `newerFormat`, `corrupt`.
    public init(file: URL) throws(Graph.StoreError) {
      let directory = try FileSafety.resolved(directory: file.deletingLastPathComponent().path)
      path = (directory as NSString).appendingPathComponent(file.lastPathComponent)
      guard FileSafety.exists(path) else {
        throw StoreError(.file, "there is no file at '\(path)'")
      }
      let location = try FileLocation(path: path)
      let readable = ConnectionPool(location: location, recorder: nil)
      do {
        try readable.read { connection throws(Graph.StoreError) in
          try FileReader.checkHeader(of: connection)
        }
        pool = readable
      } catch {
        // SQLite creates a log even for reading, which is impossible in a folder that is not writable.
        // Without a log, all data is in the file.
        guard let code = error.sqliteCode, [8, 14].contains(code & 0xFF),
          !FileSafety.exists(path + "-wal")
        else { throw error }
        pool = ConnectionPool(location: location, recorder: nil, mode: .readerOfClosedFile)
        try pool.read { connection throws(Graph.StoreError) in
          try FileReader.checkHeader(of: connection)
        }
      }
    }

    /// The number of entities of each type, by its name.
    public func counts() throws(Graph.StoreError) -> [(typeName: String, count: Int)] {
      try pool.read { connection throws(Graph.StoreError) in
        var counts: [(String, Int)] = []
        let statement = try connection.prepared(.countByType)
        defer { statement.reset() }
        while try statement.step() { counts.append((statement.text(0), Int(statement.integer(1)))) }
        return counts.sorted { $0.0 < $1.0 }
      }
    }

    /// The record of one entity as JSON; nil if there is none, or it cannot be read.
    public func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSON? {
      let typeNumbers = TypeNumbers()
      return try pool.read { connection throws(Graph.StoreError) in
        guard let number = try typeNumbers.number(of: key.typeName, on: connection) else {
          return nil
        }
        return try connection.record(type: number, key: key.key)?.json(
          at: JSONDocument.rootIndex)
      }
    }

    /// The size of the file and its write-ahead log, in bytes.
    public var size: (file: Int, log: Int) {
      (Self.size(path), Self.size(path + "-wal"))
    }

    /// The problems of the file; empty if there are none. Reads the whole file.
    public func problems() throws(Graph.StoreError) -> [String] {
      try pool.read { connection throws(Graph.StoreError) in
        let lines = try connection.texts("PRAGMA integrity_check(\(Self.mostProblems))")
        return lines == ["ok"] ? try Self.damagedRecords(on: connection) : lines
      }
    }

    // Safe: the borrowed bytes are not read.
    private static func damagedRecords(on connection: DatabaseConnection) throws(Graph.StoreError)
      -> [String]
    {
      let statement = try connection.prepared(.allRows)
      defer { statement.reset() }
      var problems: [String] = []
      while problems.count < mostProblems, try statement.step() {
        if unsafe statement.withRecord(statement.integer(3), { _ in true }) == nil {
          problems.append("the record in row \(statement.integer(2)) is damaged")
        }
      }
      return problems
    }

    /// The maximum number of reported problems.
    private static let mostProblems = 20

    /// All data as one JSON object: by type name an object with the records by their keys. All from
    /// one snapshot.
    ///
    /// - Parameter write: receives the text in pieces.
    public func export(_ write: ([UInt8]) throws -> Void) throws {
      let typeNumbers = TypeNumbers()
      let connection = try pool.begin()
      defer { pool.end(connection) }
      var separator = "{\n"
      for name in try typeNumbers.names(on: connection).sorted() {
        guard let number = try typeNumbers.number(of: name, on: connection),
          !(try connection.isEmpty(type: number))
        else { continue }
        try write(Array("\(separator)\(JSON.string(name)): {".utf8))
        separator = ",\n"
        var inner = "\n"
        var failure: (any Error)?
        try connection.forEachRecord(type: number) { key, json throws(Graph.StoreError) in
          do {
            try write(
              Array("\(inner)  \(JSON.string(key)): ".utf8)
                + json.source(at: JSONDocument.rootIndex))
            inner = ",\n"
            return true
          } catch {
            failure = error
            return false
          }
        }
        if let failure { throw failure }
        try write(Array("\n}".utf8))
      }
      try write(Array((separator == "{\n" ? "{}\n" : "\n}\n").utf8))
    }

    private static func size(_ path: String) -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
  }
}

extension Graph.StoreInspector {
  /// The operations in the file's queue that have not ended, in the order of the queue; none if
  /// there was never a queue.
  public func unsentWork() throws(Graph.StoreError) -> [Graph.UnsentWork] {
    try pool.read { connection throws(Graph.StoreError) in try connection.unsentWork() }
  }
}
