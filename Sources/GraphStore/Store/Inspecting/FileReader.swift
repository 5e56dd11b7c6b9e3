import Foundation
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
