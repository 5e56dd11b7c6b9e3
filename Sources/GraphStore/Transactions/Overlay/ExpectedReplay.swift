import GraphQLRuntime
import GraphStorage

/// Applies the expected changes of clients to a snapshot of the committed data, in their order, in a
/// transaction that is never committed.
///
/// Each snapshot replays the changes, so responses that arrive under them, and commits of other processes,
/// rebase them, and relations with an inverse follow as they follow real changes.
// Safe: the planner is used only under the lock.
final class ExpectedReplay: @unchecked Sendable {
  // Not `Void`: the thread sanitizer takes an access to a value without bytes for one to what follows it in memory.
  private let lock = Locked(false)
  private let planner: GraphQL.StoragePlanner

  init(policies: Policies) { planner = policies.makePlanner() }

  func records(
    _ committed: CommittedRecords, _ changes: ExpectedChanges, _ memory: MemoryTable,
    _ connection: DatabaseConnection?
  ) throws(Graph.StoreError) -> ExpectedRecords {
    try lock.withLock { _ throws(Graph.StoreError) in
      let transaction = Graph.Transaction(
        trialOn: committed, connection: connection, memory: memory, planner: planner)
      try transaction.apply(CheckedChange(steps: changes.list.flatMap(\.change.steps)))
      return transaction.trialRecords
    }
  }
}

extension Graph.Transaction {
  /// The records that a transaction on trial has changed.
  fileprivate var trialRecords: ExpectedRecords {
    var records = trial ?? ExpectedRecords()
    for state in changed {
      if state.record == nil, state.row == nil { continue }
      records.set(
        state.key, ExpectedRecords.Entry(json: state.json, isStored: state.row != nil))
    }
    return records
  }
}
