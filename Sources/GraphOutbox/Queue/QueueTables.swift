import GraphClient
import GraphQLRuntime
import GraphStore

/// The outbox's own tables in the store's file.
enum QueueTables {
  /// The tables that are emptied when a user logs out.
  static let names = [
    "outbox_operation", "outbox_wait", "outbox_mention", "outbox_identity", "outbox_receipt",
    "outbox_file",
  ]
  /// The unsent work of that user.
  static let unsentWork = """
    SELECT id, entity, name, \(state) AS state, document, variables FROM outbox_operation ORDER BY seq
    """
  /// An operation's state in its row. A waiting one has the same position in the indexes as a
  /// pending one.
  static let state =
    "CASE WHEN state = 'pending' AND waiting > 0 THEN 'waiting' ELSE state END"

  /// Columns that were added after the first version of their tables.
  static let added: [(table: String, columns: [(name: String, type: String)])] = [
    (
      "outbox_operation",
      [
        // The cause of its wait (`Waiting`), its start by the uptime, and the length of earlier
        // waits.
        ("waiting", "INTEGER NOT NULL DEFAULT 0"), ("since", "INTEGER NOT NULL DEFAULT 0"),
        ("waited", "INTEGER NOT NULL DEFAULT 0"),
        // Its expected change (`Graph.OptimisticChange`).
        ("optimistic", "TEXT NOT NULL DEFAULT ''"),
      ]
    ),
    (
      "outbox_receipt",
      [
        ("seq", "INTEGER NOT NULL DEFAULT 0"),
        // The content of a rejected operation, so that it can be queued again.
        ("kind", "TEXT NOT NULL DEFAULT ''"), ("document", "TEXT NOT NULL DEFAULT ''"),
        ("variables", "TEXT NOT NULL DEFAULT ''"), ("root", "TEXT NOT NULL DEFAULT ''"),
        ("fields", "TEXT NOT NULL DEFAULT ''"), ("creates", "TEXT NOT NULL DEFAULT ''"),
        ("repeatable", "INTEGER NOT NULL DEFAULT 0"), ("idempotency", "TEXT NOT NULL DEFAULT ''"),
        ("optimistic", "TEXT NOT NULL DEFAULT ''"),
      ]
    ),
  ]

  static let tables = [
    """
    CREATE TABLE IF NOT EXISTS outbox_operation(
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      idempotency TEXT NOT NULL,
      entity TEXT NOT NULL,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      document TEXT NOT NULL,
      variables TEXT NOT NULL,
      root TEXT NOT NULL,
      fields TEXT NOT NULL,
      creates TEXT NOT NULL,
      repeatable INTEGER NOT NULL,
      doubtful INTEGER NOT NULL DEFAULT 0,
      state TEXT NOT NULL,
      waits INTEGER NOT NULL,
      ready INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      strikes INTEGER NOT NULL,
      strike_reason TEXT NOT NULL,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      answer TEXT NOT NULL,
      created INTEGER NOT NULL) STRICT
    """,
    // The operation waits until the predecessor has left the queue; if it needs the predecessor,
    // until that was received.
    """
    CREATE TABLE IF NOT EXISTS outbox_wait(
      predecessor INTEGER NOT NULL,
      operation INTEGER NOT NULL,
      needed INTEGER NOT NULL,
      PRIMARY KEY(predecessor, operation)) STRICT, WITHOUT ROWID
    """,
    // Operations that name a temporary key in their variables.
    """
    CREATE TABLE IF NOT EXISTS outbox_mention(
      temporary TEXT NOT NULL,
      operation INTEGER NOT NULL,
      PRIMARY KEY(temporary, operation)) STRICT, WITHOUT ROWID
    """,
    // The server's keys for temporary ones; empty if there is no object, or its key is not written
    // to the file.
    """
    CREATE TABLE IF NOT EXISTS outbox_identity(
      temporary TEXT NOT NULL PRIMARY KEY,
      key TEXT NOT NULL) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS outbox_receipt(
      id TEXT NOT NULL PRIMARY KEY,
      entity TEXT NOT NULL,
      name TEXT NOT NULL,
      state TEXT NOT NULL,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      finished INTEGER NOT NULL) STRICT, WITHOUT ROWID
    """,
    // Files to send with an operation: their paths, and their checksums when it was queued.
    """
    CREATE TABLE IF NOT EXISTS outbox_file(
      operation INTEGER NOT NULL,
      place TEXT NOT NULL,
      path TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      checksum TEXT NOT NULL,
      PRIMARY KEY(operation, place)) STRICT, WITHOUT ROWID
    """,
  ]

  static let indexes = [
    "CREATE INDEX IF NOT EXISTS outbox_entity ON outbox_operation(entity, seq)",
    """
    CREATE INDEX IF NOT EXISTS outbox_ready ON outbox_operation(ready, seq)
      WHERE state = 'pending' AND waits = 0
    """,
    """
    CREATE INDEX IF NOT EXISTS outbox_open ON outbox_operation(state, seq)
      WHERE state <> 'pending' AND state <> 'blocked'
    """,
    "CREATE INDEX IF NOT EXISTS outbox_fields ON outbox_operation(fields, state)",
    """
    CREATE INDEX IF NOT EXISTS outbox_creates ON outbox_operation(creates) WHERE creates <> ''
    """,
    "CREATE INDEX IF NOT EXISTS outbox_wait_operation ON outbox_wait(operation, predecessor)",
    "CREATE INDEX IF NOT EXISTS outbox_mention_operation ON outbox_mention(operation)",
    "CREATE INDEX IF NOT EXISTS outbox_receipt_finished ON outbox_receipt(finished)",
    "CREATE INDEX IF NOT EXISTS outbox_receipt_entity ON outbox_receipt(entity, seq)",
  ]
}

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

/// The current time in milliseconds.
struct QueueTime: Sendable {
  /// Since 1970, by a clock that may be set: for values that outlive a run of the program.
  var wall: Int64
  /// Since the machine started, by a clock that is never set: for delays.
  var uptime: Int64

  init(wall: Int64, uptime: Int64) {
    self.wall = wall
    self.uptime = uptime
  }

  init(_ timestamp: Graph.Timestamp) {
    self.init(
      wall: timestamp.wall.wholeMilliseconds, uptime: timestamp.uptime.wholeMilliseconds)
  }
}
