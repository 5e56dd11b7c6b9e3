import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore

/// A file to send with an operation. The queue keeps its path and its checksum, not its bytes.
struct QueuedFile: Sendable {
  /// The position of the file in the variables.
  let place: String
  let path: String
  let name: String
  let type: String
  /// The SHA-256 digest of the file's contents when the operation was queued.
  var checksum = ""

  /// - Throws: ``OutboxError`` for bytes in memory, which a restart would lose.
  init(place: String, _ upload: GraphQL.Upload) throws(Graph.OutboxError) {
    guard case .file(let url) = upload.content else {
      throw Graph.OutboxError(.invalidMutation, "a queued mutation sends files on disk only")
    }
    self.place = place
    path = url.path
    name = upload.fileName
    type = upload.contentType
  }

  init(_ row: ExtensionRow) {
    (place, path, name) = (row.text(0), row.text(1), row.text(2))
    (type, checksum) = (row.text(3), row.text(4))
  }

  var upload: (path: String, upload: GraphQL.Upload) {
    (place, GraphQL.Upload(.file(URL(filePath: path)), fileName: name, contentType: type))
  }

  /// The digest of the file's current contents. Reads all of it.
  func digest() throws -> String { try SHA256.hexDigest(ofFile: URL(filePath: path)) }

  /// Why the file cannot be sent; nil if it has not changed.
  var problem: Graph.RejectionReason? {
    guard let digest = try? digest() else {
      return Graph.RejectionReason(
        code: "fileMissing", message: "a file to send can no longer be read")
    }
    return digest == checksum
      ? nil : Graph.RejectionReason(code: "fileChanged", message: "a file to send has changed")
  }
}

extension NewOperation {
  /// The operation with the checksums of its files. Files that already have one must not have
  /// changed.
  ///
  /// - Throws: ``OutboxError`` for a file that cannot be read, or has changed.
  func withChecksums() throws -> NewOperation {
    var operation = self
    for index in files.indices {
      if !files[index].checksum.isEmpty {
        guard let problem = files[index].problem else { continue }
        throw Graph.OutboxError(
          .invalidMutation,
          "\(problem.message) since the operation was queued; send another mutation in its place to "
            + "upload the current content of the file")
      }
      do {
        operation.files[index].checksum = try files[index].digest()
      } catch {
        throw Graph.OutboxError(
          .invalidMutation,
          "a file to send cannot be read; check that it exists, and its permissions", cause: error)
      }
    }
    return operation
  }
}

extension QueueWriter {
  func setFiles(_ files: [QueuedFile], of seq: Int64) throws(Graph.StoreError) {
    try transaction.execute("DELETE FROM outbox_file WHERE operation = ?1", [.integer(seq)])
    for file in files {
      try transaction.execute(
        """
        INSERT INTO outbox_file(operation, place, path, name, type, checksum)
        VALUES(?1, ?2, ?3, ?4, ?5, ?6)
        """,
        [
          .integer(seq), .text(file.place), .text(file.path), .text(file.name), .text(file.type),
          .text(file.checksum),
        ])
    }
  }
}

extension QueueRows {
  func files(of seq: Int64) throws(Graph.StoreError) -> [QueuedFile] {
    try rows(
      """
      SELECT place, path, name, type, checksum FROM outbox_file WHERE operation = ?1 ORDER BY place
      """, [.integer(seq)], QueuedFile.init)
  }
}
