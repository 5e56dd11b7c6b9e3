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
