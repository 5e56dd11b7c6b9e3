import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore

/// An operation to be queued.
package struct NewOperation: Sendable {
  package enum Kind: String, Sendable {
    /// Only the last one counts.
    case save
    /// Each one counts.
    case mutation = "transact"
  }

  /// Initially also the idempotency key.
  var id: String
  var entity: GraphQL.EntityKey
  var kind: Kind
  var name: String
  var document: String
  var variables: JSON
  /// The name of the schema's mutation type; empty if the response can only be stored using the
  /// operation.
  var root: String
  /// The coordinates of the root fields, with commas between them.
  var fields = ""
  /// Whether the server carries it out only once however often it is sent.
  var isRepeatable: Bool
  /// The files to send with it.
  var files: [QueuedFile] = []
  /// Its expected change of the entity.
  var optimistic: Graph.OptimisticChange?
}

/// A row of the queue, for sending.
struct QueuedOperation: Sendable {
  let seq: Int64
  let id: String
  let entity: GraphQL.EntityKey
  let name: String
  let document: String
  let variables: [UInt8]
  let root: String
  /// The temporary key that the server's response replaces; empty if there is none.
  let creates: String
  let isRepeatable: Bool
  let state: Graph.OperationState
  let attempts: Int
  let refusals: RefusalCount
  let response: String
  /// The key by which the server detects repetitions.
  let idempotencyKey: String
  /// The reason for its state; may be empty.
  let code: String
  /// Whether an earlier attempt may have carried it out.
  let isDoubtful: Bool
  /// How long it has waited for a busy server.
  let waited: Duration

  static let columns = """
    seq, id, entity, name, document, variables, root, creates, repeatable, \(QueueTables.state), \
    attempts, \
    strike_reason, strikes, answer, idempotency, code, doubtful, waited
    """

  /// Whether the row contains its object and its state.
  private let hasPlace: Bool

  /// Whether the row cannot be sent because its entity, state, document or variables are damaged.
  var isDamaged: Bool {
    if !hasPlace || document.isEmpty { return true }
    return if case .object? = try? JSON(parsing: variables) { false } else { true }
  }

  /// Reads all readable parts of a row.
  init(_ row: ExtensionRow) {
    let entity = GraphQL.EntityKey(row.text(2))
    let state = Graph.OperationState(rawValue: row.text(9)).flatMap { $0.isFinal ? nil : $0 }
    seq = row.integer(0)
    id = row.text(1)
    self.entity = entity ?? GraphQL.EntityKey(typeName: "", key: row.text(2))
    name = row.text(3)
    document = row.text(4)
    variables = Array(row.text(5).utf8)
    root = row.text(6)
    creates = row.text(7)
    isRepeatable = row.integer(8) != 0
    // An unknown state does not show whether the operation was carried out.
    self.state = state ?? .uncertain
    hasPlace = entity != nil && state != nil
    attempts = Int(row.integer(10))
    refusals = RefusalCount(reason: row.text(11), count: Int(row.integer(12)))
    response = row.text(13)
    idempotencyKey = row.text(14)
    code = row.text(15)
    isDoubtful = row.integer(16) != 0
    waited = .milliseconds(row.integer(17))
  }
}

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

extension Graph {
  /// An operation that may have been carried out and cannot be repeated safely.
  public struct UncertainOperation: Sendable {
    /// Its ID.
    public let id: String
    /// The object that it writes.
    public let entity: GraphQL.EntityKey
    /// Its name in its document; empty if it has none.
    public let name: String
    /// Its variables, by their names in the document.
    public let variables: GraphQL.JSON

    init(_ operation: QueuedOperation) {
      id = operation.id
      entity = operation.entity
      name = operation.name
      // The queue has written the text itself.
      variables = (try? JSON(parsing: operation.variables)) ?? .null
    }
  }
}

extension Graph {
  /// The outcome of an uncertain operation.
  public enum Verification: Sendable {
    /// It was carried out. The key is the server's for the object that it created, if any.
    case executed(key: GraphQL.ID? = nil)
    /// It was not carried out, and is retried.
    case notExecuted
    /// The program does not know: it stays uncertain until ``Outbox/retry(_:)``, ``Outbox/confirm(_:key:)`` or
    /// ``Outbox/cancel(_:)``.
    case unknown
  }
}
