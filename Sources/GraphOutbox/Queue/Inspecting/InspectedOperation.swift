import GraphJSON
import GraphQLRuntime
import GraphStore

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
