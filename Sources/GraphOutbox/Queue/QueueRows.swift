import GraphQLRuntime
import GraphStore

/// The queue's rows, as a transaction sees them or as they were committed.
protocol QueueRows {
  func rows<T>(
    _ sql: String, _ values: [ExtensionValue], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T]
}

extension Graph.Store: QueueRows {}

extension QueueWriter: QueueRows {
  func rows<T>(
    _ sql: String, _ values: [ExtensionValue], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    try transaction.rows(sql, values, read)
  }
}

extension QueueRows {
  /// The uptime in milliseconds at which the next operation may be sent; nil if none waits for
  /// that.
  func nextReady() throws(Graph.StoreError) -> Int64? {
    try rows(
      """
      SELECT ready FROM outbox_operation
      WHERE state = 'pending' AND waits = 0 ORDER BY ready, seq LIMIT 1
      """, []
    ) { $0.integer(0) }.first
  }

  /// The files to send with an operation.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation` if the user has logged out since the operation was
  ///   read, perhaps in another process.
  func files(toSendWith operation: QueuedOperation) throws -> [QueuedFile] {
    let files = try files(of: operation.seq)
    // The two reads may see different commits. If the second one finds the row, the first one has found
    // its files.
    let rows = try rows(
      "SELECT 1 FROM outbox_operation WHERE seq = ?1", [.integer(operation.seq)]
    ) { _ in true }
    if rows.isEmpty {
      throw Graph.OutboxError(.unknownOperation, "the operation is not in the queue")
    }
    return files
  }
}
