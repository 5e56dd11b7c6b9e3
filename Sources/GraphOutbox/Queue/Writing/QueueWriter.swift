import GraphQLRuntime
import GraphStore

/// Changes the queue within one transaction of the store, and records the transitions to publish
/// after its commit.
struct QueueWriter {
  let transaction: Graph.Transaction
  let now: QueueTime
  /// The keys of transient objects, which are not in a file.
  let memory: TransientKeys
  private(set) var transitions: [Graph.Transition] = []
  /// The changes of `memory`, which are made after the commit.
  var memoryChanges: [TransientKeys.Change] = []

  init(_ transaction: Graph.Transaction, now: QueueTime, memory: TransientKeys = TransientKeys()) {
    self.transaction = transaction
    self.now = now
    self.memory = memory
  }

  mutating func note(_ transition: Graph.Transition) { transitions.append(transition) }

  func createTables() throws(Graph.StoreError) {
    for statement in QueueTables.tables { try transaction.execute(statement) }
    for (table, columns) in QueueTables.added { try add(columns, to: table) }
    for statement in QueueTables.indexes { try transaction.execute(statement) }
    let overlays = try transaction.createOverlayTables()
    try transaction.register(
      extensionTables: QueueTables.names + overlays, unsentWork: QueueTables.unsentWork)
  }

  /// Adds missing columns to a table of an earlier version.
  private func add(_ columns: [(name: String, type: String)], to table: String) throws(Graph
    .StoreError)
  {
    let present = try transaction.rows("SELECT name FROM pragma_table_info(?1)", [.text(table)]) {
      $0.text(0)
    }
    for column in columns where !present.contains(column.name) {
      try transaction.execute("ALTER TABLE \(table) ADD COLUMN \(column.name) \(column.type)")
    }
  }

  func operation(_ seq: Int64) throws(Graph.StoreError) -> QueuedOperation? {
    try transaction.rows(
      "SELECT \(QueuedOperation.columns) FROM outbox_operation WHERE seq = ?1", [.integer(seq)],
      QueuedOperation.init
    ).first
  }

  func operation(id: String) throws(Graph.StoreError) -> QueuedOperation? {
    try transaction.rows(
      "SELECT \(QueuedOperation.columns) FROM outbox_operation WHERE id = ?1", [.text(id)],
      QueuedOperation.init
    ).first
  }

  /// The operations that may be sent now, up to a limit.
  private func ready(_ count: Int) throws(Graph.StoreError) -> [QueuedOperation] {
    try transaction.rows(
      """
      SELECT \(QueuedOperation.columns) FROM outbox_operation
      WHERE state = 'pending' AND waits = 0 AND ready <= ?1 ORDER BY ready, seq LIMIT ?2
      """, [.integer(now.uptime), .integer(Int64(count))], QueuedOperation.init)
  }

  /// Takes the next operation that may be sent and marks it as in transit. Sets aside damaged operations
  /// before it.
  mutating func claim() throws -> QueuedOperation? {
    var next = try ready(1).first
    while let damaged = next, damaged.isDamaged {
      try setAside(damaged)
      next = try ready(1).first
    }
    guard let operation = next else { return nil }
    try transaction.execute(
      """
      UPDATE outbox_operation SET attempts = attempts + 1, since = 0,
        waited = waited + CASE WHEN since > 0 THEN max(min(?2, ready) - since, 0) ELSE 0 END
      WHERE seq = ?1
      """, [.integer(operation.seq), .integer(now.uptime)])
    try move(operation, to: .inTransit)
    return try self.operation(operation.seq)
  }

  /// Marks the operations that would be sent now as waiting, since the server has requested a
  /// pause.
  ///
  /// - Parameter count: how many operations could be sent concurrently.
  mutating func postpone(_ count: Int, for pause: Duration) throws {
    for operation in try ready(count) {
      if operation.state == .waiting {
        try delay(operation, by: pause)
      } else {
        try wait(operation, .pause, .requested, for: pause)
      }
    }
  }

  private mutating func wait(
    _ operation: QueuedOperation, _ reason: Graph.RejectionReason, _ waiting: Waiting,
    for delay: Duration
  ) throws {
    try self.delay(operation, by: delay)
    try move(operation, to: .waiting, reason: reason)
    try transaction.execute(
      "UPDATE outbox_operation SET waiting = ?2, since = ?3 WHERE seq = ?1",
      [
        .integer(operation.seq), .integer(waiting.rawValue),
        .integer(waiting == .network ? 0 : now.uptime),
      ])
  }

  /// Changes the state of an operation that stays in the queue.
  mutating func move(
    _ operation: QueuedOperation, to state: Graph.OperationState,
    reason: Graph.RejectionReason? = nil
  ) throws {
    guard operation.state.successors.contains(state), !state.isFinal else {
      throw Graph.OutboxError(
        .invalidTransition, "an operation in the state \(operation.state) cannot become \(state)")
    }
    try transaction.execute(
      "UPDATE outbox_operation SET state = ?2, waiting = 0, code = ?3, message = ?4 WHERE seq = ?1",
      [
        .integer(operation.seq), .text(state.stored), .text(reason?.code ?? ""),
        .text(reason?.message ?? ""),
      ])
    note(
      Graph.Transition(
        operation.id, operation.entity, from: operation.state, to: state, reason: reason))
  }

  /// Stores the outcome of an attempt.
  ///
  /// - Parameter response: the response's data, if there is any.
  mutating func settle(
    _ operation: QueuedOperation, _ decision: AttemptDecision, response: String
  ) throws {
    // During the attempt, the user may have logged out, or the program may have decided. Or the
    // operation was settled, and only a later step failed.
    guard let current = try self.operation(operation.seq), current.attempts == operation.attempts,
      current.state == .inTransit || current.state == .uncertain, current.state != decision.state
    else { return }
    switch decision {
    case .deliver:
      try transaction.execute(
        "UPDATE outbox_operation SET answer = ?2 WHERE seq = ?1",
        [.integer(current.seq), .text(response)])
      try move(current, to: .delivered)
    case .confirm(let key): try finish(current, .received, key: key)
    case .retry(let delay, let refusals, let isUndone):
      if isUndone { try setDoubtful(false, current) }
      try setRefusals(refusals, of: current)
      try self.delay(current, by: delay)
      try move(current, to: .pending)
    case .wait(let reason, let waiting, let delay, let isDoubtful):
      if isDoubtful { try setDoubtful(true, current) }
      try wait(current, reason, waiting, for: delay)
    case .resolve(_, let refusals):
      try setRefusals(refusals, of: current)
      // The operation is not sent while the conflict is being resolved. The delay only expires if the
      // hook does not return.
      try delay(current, by: .seconds(3600))
      try move(current, to: .pending)
    case .awaitCredentials: try move(current, to: .awaitingCredentials)
    case .markUncertain(let reason, let refusals):
      try setRefusals(refusals, of: current)
      try move(current, to: .uncertain, reason: reason)
    case .reject(let reason): try finish(current, .rejected, reason: reason)
    }
  }

  private func setRefusals(
    _ refusals: RefusalCount, of operation: QueuedOperation
  ) throws(Graph.StoreError) {
    try transaction.execute(
      "UPDATE outbox_operation SET strikes = ?2, strike_reason = ?3 WHERE seq = ?1",
      [.integer(operation.seq), .integer(Int64(refusals.count)), .text(refusals.reason)])
  }

  /// Records whether an operation may have been carried out, though it is retried.
  func setDoubtful(
    _ isDoubtful: Bool, _ operation: QueuedOperation
  ) throws(Graph.StoreError) {
    try transaction.execute(
      "UPDATE outbox_operation SET doubtful = ?2 WHERE seq = ?1",
      [.integer(operation.seq), .integer(isDoubtful ? 1 : 0)])
  }

  func delay(_ operation: QueuedOperation, by delay: Duration) throws(Graph.StoreError) {
    let whole = delay.wholeMilliseconds
    let ready = now.uptime + (delay > .milliseconds(whole) ? whole + 1 : whole)
    try transaction.execute(
      "UPDATE outbox_operation SET ready = ?2 WHERE seq = ?1",
      [.integer(operation.seq), .integer(ready)])
  }

  /// Recovers the queue that another run of the program left.
  ///
  /// - Parameter verifies: whether the program verifies operations that may have been carried out;
  ///   they are in transit until then.
  mutating func recover(verifies: Bool = false) throws {
    try setAsideLost()
    for operation in try operations(.inTransit) + operations(.awaitingCredentials) {
      if operation.state == .inTransit { try setDoubtful(true, operation) }
      let state = operation.state.recovered(
        isRepeatable: operation.isRepeatable, isVerified: verifies)
      guard state != operation.state else { continue }
      try move(operation, to: state, reason: state == .uncertain ? .interrupted : nil)
    }
    // Delays belong to the run that chose them, and the uptime may start again.
    try transaction.execute(
      """
      UPDATE outbox_operation SET ready = 0, since = 0
      WHERE state = 'pending' AND waits = 0 AND ready > 0
      """)
  }

  /// Releases the operations that wait for new credentials.
  ///
  /// - Parameter delay: depends on the number of attempts, since the server may refuse the new ones
  ///   as well.
  mutating func retryAwaitingCredentials(after delay: (Int) -> Duration) throws {
    for operation in try operations(.awaitingCredentials) {
      try setRefusals(RefusalCount(), of: operation)
      try self.delay(operation, by: delay(operation.attempts))
      try move(operation, to: .pending)
    }
  }

  /// Allows an operation to be sent without further delay.
  mutating func retry(_ operation: QueuedOperation) throws {
    // If it must not be repeated, the program knows that it was not carried out.
    if !operation.isRepeatable { try setDoubtful(false, operation) }
    if operation.state != .pending { try move(operation, to: .pending) }
    try transaction.execute(
      """
      UPDATE outbox_operation
      SET ready = 0, strikes = 0, strike_reason = '', waited = 0, since = 0 WHERE seq = ?1
      """, [.integer(operation.seq)])
  }

  /// Ends the delays that no server has requested.
  func endOwnDelays() throws(Graph.StoreError) {
    try transaction.execute(
      """
      UPDATE outbox_operation SET ready = ?1
      WHERE state = 'pending' AND waits = 0 AND ready > ?1 AND waiting IN (?2, ?3)
      """,
      [
        .integer(now.uptime), .integer(Waiting.network.rawValue),
        .integer(Waiting.server.rawValue),
      ])
  }

  /// - Parameter state: neither `pending` nor `blocked`, since there may be very many of those.
  func operations(_ state: Graph.OperationState) throws(Graph.StoreError) -> [QueuedOperation] {
    try transaction.rows(
      """
      SELECT \(QueuedOperation.columns) FROM outbox_operation INDEXED BY outbox_open
      WHERE state = ?1 AND state <> 'pending' AND state <> 'blocked' ORDER BY seq
      """, [.text(state.rawValue)], QueuedOperation.init)
  }

  /// The operations of the queue that have not ended, without their contents.
  func openOperations() throws(Graph.StoreError) -> [TransitionHub.OpenOperation] {
    let rows = try transaction.rows("SELECT id, entity, state FROM outbox_operation") { row in
      (row.text(0), GraphQL.EntityKey(row.text(1)), Graph.OperationState(rawValue: row.text(2)))
    }
    return rows.compactMap { id, entity, state in
      guard let entity, let state, !state.isFinal else { return nil }
      return (id, entity, state)
    }
  }
}

extension Graph.RejectionReason {
  /// Why an operation that a run of the program has left in transit is uncertain.
  static let interrupted = Graph.RejectionReason(
    code: "interrupted", message: "the program ended while the operation was being sent")

  /// Why an operation that could be sent waits.
  static let pause = Graph.RejectionReason(
    code: "pause", message: "the server requested a pause")
}

// Rows that can no longer be read: they leave the queue with a receipt, so that the others
// continue.
extension QueueWriter {
  private static let knownStates = Graph.OperationState.allCases.filter { !$0.isFinal }
    .map { "'\($0.rawValue)'" }.joined(separator: ",")

  /// Sets aside rows that an earlier run has left in an unknown state: they would never be sent.
  /// Other damage is found when an operation is to be sent, since there may be very many.
  mutating func setAsideLost() throws {
    let lost = try transaction.rows(
      """
      SELECT \(QueuedOperation.columns) FROM outbox_operation INDEXED BY outbox_open
      WHERE state <> 'pending' AND state <> 'blocked' AND state NOT IN (\(Self.knownStates))
      ORDER BY state, seq
      """, [], QueuedOperation.init)
    for operation in lost { try setAside(operation) }
  }

  /// Ends a damaged operation. Its receipt has all data that can be read.
  mutating func setAside(_ operation: QueuedOperation) throws {
    // The operation may have been rejected already, with a damaged one that it needs.
    guard let current = try self.operation(operation.seq) else { return }
    try finish(current, .rejected, reason: current.attempts > 0 ? .damagedLate : .damaged)
  }
}

extension Graph.RejectionReason {
  /// Why an operation with an unreadable row was never sent.
  fileprivate static let damaged = Graph.RejectionReason(
    code: "damaged", message: "the operation's row in the file is damaged; it was never sent")

  /// Why an operation with an unreadable row, which was sent before, may have been carried out.
  fileprivate static let damagedLate = Graph.RejectionReason(
    code: "damaged",
    message:
      "the operation's row in the file is damaged; it was sent before, and may have been carried out"
  )
}
