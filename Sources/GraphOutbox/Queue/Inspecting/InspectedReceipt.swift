import GraphQLRuntime
import GraphStore

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
