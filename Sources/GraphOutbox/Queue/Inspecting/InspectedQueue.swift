import GraphJSON
import GraphQLRuntime
import GraphStore

extension FileContents: QueueRows {}

/// The queue in a store's file at one commit, without an outbox: for tools.
package struct InspectedQueue: Sendable {
  /// In the order in which they would be sent.
  package let operations: [InspectedOperation]
  /// The oldest first.
  package let receipts: [InspectedReceipt]

  /// Reads the queue; it is empty if the file never had one.
  package init(_ contents: FileContents) throws(Graph.StoreError) {
    let columns = try contents.columns(of: "outbox_operation")
    guard !columns.isEmpty else {
      (operations, receipts) = ([], [])
      return
    }
    var operations = try contents.rows(
      "SELECT \(InspectedOperation.columns(in: columns)) FROM outbox_operation ORDER BY seq", [],
      InspectedOperation.init)
    let waits = try contents.rows("SELECT predecessor, operation, needed FROM outbox_wait", []) {
      (predecessor: $0.integer(0), operation: $0.integer(1), isNeeded: $0.integer(2) != 0)
    }
    var places: [Int64: Int] = [:]
    for (place, operation) in operations.enumerated() { places[operation.seq] = place }
    for wait in waits.sorted(by: { $0 < $1 }) {
      guard let first = places[wait.predecessor], let second = places[wait.operation] else {
        continue
      }
      operations[second].predecessors.append(
        .init(id: operations[first].id, isNeeded: wait.isNeeded))
      operations[first].successors.append(operations[second].id)
    }
    self.operations = Self.sendingOrder(operations)
    receipts = try contents.rows(
      "SELECT \(InspectedReceipt.columns) FROM outbox_receipt ORDER BY finished, id", [],
      InspectedReceipt.init)
  }

  /// The files that are sent with an operation. Reads all of them.
  package static func files(
    of operation: InspectedOperation, in contents: FileContents
  ) throws(Graph.StoreError) -> [InspectedFile] {
    // The table is newer than the queue.
    guard !(try contents.columns(of: "outbox_file")).isEmpty else { return [] }
    return try contents.files(of: operation.seq).map(InspectedFile.init)
  }
}

/// By predecessor, then by operation.
private func < (
  left: (predecessor: Int64, operation: Int64, isNeeded: Bool),
  right: (predecessor: Int64, operation: Int64, isNeeded: Bool)
) -> Bool {
  (left.predecessor, left.operation) < (right.predecessor, right.operation)
}

extension InspectedQueue {
  /// The earliest position of an operation in the order of sending. An operation has a later one than those for
  /// whose end it waits.
  private struct Position {
    /// Whether something other than time has to happen before it is sent.
    var isStopped = false
    /// The uptime in milliseconds at which it is due; negative if it was sent already.
    var time: Int64 = 0
    /// The number of operations that have to end one after the other before it is sent.
    var depth = 0

    mutating func move(after other: Position) {
      isStopped = isStopped || other.isStopped
      (time, depth) = (max(time, other.time), max(depth, other.depth + 1))
    }

    func key(_ seq: Int64) -> (Int, Int64, Int, Int64) { (isStopped ? 1 : 0, time, depth, seq) }
  }

  /// Those that are being sent, then by the time at which they are due, each after those for which it waits.
  /// Operations that wait for something other than time, and those that depend on them, are last.
  static func sendingOrder(_ operations: [InspectedOperation]) -> [InspectedOperation] {
    var positions: [String: Position] = [:]
    var waits: [String: Int] = [:]
    var byID: [String: InspectedOperation] = [:]
    for operation in operations {
      positions[operation.id] = Position(isStopped: operation.isStopped, time: time(of: operation))
      waits[operation.id] = operation.predecessors.count
      byID[operation.id] = operation
    }
    var known = operations.filter(\.predecessors.isEmpty)
    while let operation = known.popLast(), let position = positions[operation.id] {
      for successor in operation.successors {
        positions[successor]?.move(after: position)
        waits[successor, default: 0] -= 1
        if waits[successor] == 0, let next = byID[successor] { known.append(next) }
      }
    }
    // A cycle, which only a damaged file contains, is never sent.
    for (id, count) in waits where count > 0 { positions[id]?.isStopped = true }
    let keyed = operations.map { ($0, (positions[$0.id] ?? Position()).key($0.seq)) }
    return keyed.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private static func time(of operation: InspectedOperation) -> Int64 {
    switch operation.state {
    case "delivered": -2
    case "inTransit": -1
    default: operation.ready ?? 0
    }
  }
}

/// An operation in the queue of a store's file, as the row states it.
package struct InspectedOperation: Sendable {
  /// An operation for whose end another one waits.
  package struct Predecessor: Sendable, Hashable {
    package let id: String
    /// Whether the other one is rejected if this one is not carried out.
    package let isNeeded: Bool
  }

  let seq: Int64
  package let id: String
  package let entity: String
  package let name: String
  /// The state's name; an unknown one is shown as it is.
  package let state: String
  /// The reason for the state; nil if there is none.
  package let reason: Graph.RejectionReason?
  package let attempts: Int
  /// When it was queued, in milliseconds since 1970.
  package let created: Int64
  /// The uptime in milliseconds at which the next attempt is due; nil unless a delay has been chosen.
  let ready: Int64?
  package let idempotencyKey: String
  package let document: String
  /// Null if the row has none that can be read.
  package let variables: JSON
  /// Those for whose end it waits.
  package internal(set) var predecessors: [Predecessor] = []
  /// The IDs of the operations that wait for its end.
  package internal(set) var successors: [String] = []

  /// A row with the columns of ``columns(in:)``.
  init(_ row: ExtensionRow) {
    seq = row.integer(0)
    (id, entity, name) = (row.text(1), row.text(2), row.text(3))
    let stored = row.text(4)
    state = Graph.OperationState(rawValue: stored)?.description ?? stored
    reason = Graph.RejectionReason(stored: row.text(5), row.text(6))
    attempts = Int(row.integer(7))
    created = row.integer(8)
    ready = row.integer(9) == 0 ? nil : row.integer(9)
    (idempotencyKey, document) = (row.text(10), row.text(11))
    variables = (try? JSON(parsing: Array(row.text(12).utf8))) ?? .null
  }

  /// - Parameter known: the columns of the file's table, which may be of an earlier version.
  static func columns(in known: [String]) -> String {
    let state = known.contains("waiting") ? QueueTables.state : "state"
    return """
      seq, id, entity, name, \(state), code, message, attempts, created, ready, idempotency, document, variables
      """
  }

  /// How long until the next attempt is due; zero if it is due now, and nil if that does not depend on time.
  ///
  /// The queue keeps times of this machine's uptime, and the outbox that opens the file resets them after a
  /// restart. So the duration is correct for a program that runs on this machine.
  package func delay(at uptime: Duration) -> Duration? {
    guard predecessors.isEmpty, ["pending", "waiting"].contains(state) else { return nil }
    return max(.milliseconds(ready ?? 0) - uptime, .zero)
  }

  /// Whether it is sent only after something other than time: new credentials, a decision of the program, or a
  /// newer version of it.
  var isStopped: Bool {
    switch Graph.OperationState.allCases.first(where: { $0.description == state }) {
    case .pending, .waiting, .inTransit, .delivered: false
    case .blocked: predecessors.isEmpty
    default: true
    }
  }
}

/// The receipt of an operation that has ended, in a store's file.
package struct InspectedReceipt: Sendable {
  package let operation: String
  /// Empty for an object of a transient type.
  package let entity: String
  package let name: String
  package let state: String
  /// Why it was rejected; nil otherwise.
  package let reason: Graph.RejectionReason?
  /// When it ended, in milliseconds since 1970.
  package let finished: Int64

  static let columns = "id, entity, name, state, code, message, finished"

  init(_ row: ExtensionRow) {
    (operation, entity, name, state) = (row.text(0), row.text(1), row.text(2), row.text(3))
    reason = Graph.RejectionReason(stored: row.text(4), row.text(5))
    finished = row.integer(6)
  }
}

/// A file that is sent with an operation.
package struct InspectedFile: Sendable {
  /// Its position in the variables.
  package let place: String
  package let path: String
  package let name: String
  package let contentType: String
  /// Why it cannot be sent; nil if it has not changed since the operation was queued.
  package let problem: String?

  /// Reads the whole file.
  init(_ file: QueuedFile) {
    (place, path, name, contentType) = (file.place, file.path, file.name, file.type)
    problem = file.problem?.message
  }
}
