import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Changes objects and lists, as a mutation did on the server.
  ///
  /// A list or connection that is not stored stays unknown, and the next response with it replaces it as a whole
  /// or page by page. Deletions are not denied.
  ///
  /// - Throws: ``StoreError``: `invalidChange`, `invalidJSON` and `notAnEntity` for a change that the schema does
  ///   not allow; nothing has changed then.
  public func apply(_ change: Graph.StoreChange) throws(Graph.StoreError) {
    try checkOpen()
    try apply(check(change))
  }

  /// - Parameter object: the object of a queued operation.
  func check(
    _ change: Graph.StoreChange, object: GraphQL.EntityKey? = nil
  ) throws(Graph.StoreError) -> CheckedChange {
    try ChangeChecker(policies: policies, planner: planner, object: object) {
      [self] key throws(Graph.StoreError) in try base(key) != nil
    }.check(change)
  }

  func apply(_ change: CheckedChange) throws(Graph.StoreError) {
    var steps = change.steps[...]
    while let step = steps.popFirst() {
      switch step {
      case .fields(let key, let patch):
        if patch.effect == .create { trial?.gone.remove(key) }
        try modify(key) { json throws(Graph.StoreError) in
          try patch.applied(to: json, patchContext(of: key))
        }
      case .delete(let key):
        if trial == nil {
          // The server has decided, so no rule denies the deletion.
          _ = try delete([key], withThose: [])
        } else {
          try deleteOnTrial(key)
        }
      case .edit(let edit, let list, isConnection: false):
        var edits = [edit]
        // Successive edits are applied together, so that a long list is written once. The other sides of a relation
        // depend on each of them.
        while policies.inverses(ofType: list.owner.typeName).isEmpty,
          case .edit(let next, list, isConnection: false)? = steps.first
        {
          edits.append(next)
          steps.removeFirst()
        }
        try modify(list, by: edits)
      case .edit(let edit, let list, isConnection: true):
        for head in try connections(list) { try self.edit(head, edit) }
      }
    }
  }

  /// Changes the record of an entity, and the other sides of its relations.
  private func modify(
    _ key: GraphQL.EntityKey,
    _ body: (JSONDocument?) throws(Graph.StoreError) -> JSONDocument?
  ) throws(Graph.StoreError) {
    let state = try entityState(of: key)
    let old = state.base
    guard let new = try body(old?.json) else { return }
    if let old, new.isSame(as: old) { return }
    put(RecordText(new), in: state, isArrival: false)
    if old == nil, trial == nil, !isInFile(key) { memory.note(key, at: committed.now()) }
    _ = try updateInverses(of: state, from: old)
  }

  /// Edits a list that is not a connection.
  func modify(_ list: Graph.StoredList, by edits: [ListEdit]) throws(Graph.StoreError) {
    try modify(list.owner) { json throws(Graph.StoreError) in
      try json?.applying(edits, to: list, schema) { [self] key throws(Graph.StoreError) in
        try base(key)
      }
    }
  }

  /// Edits the pages of a connection.
  func edit(
    _ head: GraphQL.EntityKey, _ edit: ListEdit
  ) throws(Graph.StoreError) {
    let state = try entityState(of: head)
    guard let json = state.base?.json else { return }
    if trial != nil { return put(RecordText(json.adding(edit)), in: state) }
    var writer = try ConnectionWriter(
      key: ConnectionKey(head: head), typeName: schema.objectTypeName(ofField: head.typeName) ?? "",
      transaction: self)
    writer.isArrival = false
    try writer.apply(edit)
  }

  /// The heads of the stored connections that a list includes.
  func connections(_ list: Graph.StoredList) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    if let storageKey = list.storageKey {
      return [ConnectionKey(owner: list.owner, fieldName: list.field, storageKey: storageKey).head]
    }
    guard let owner = try entityState(of: list.owner).base?.json else { return [] }
    var heads: [GraphQL.EntityKey] = []
    var member = owner.firstChild(of: JSONDocument.rootIndex)
    while member < owner.end(of: JSONDocument.rootIndex) {
      let value = owner.next(after: member)
      if owner.kind(at: value) == .object, list.includes(owner.string(at: member)),
        let link = GraphQL.StoredLink.key(at: value, in: owner), link.isOfConnection
      {
        heads.append(link)
      }
      member = owner.next(after: value)
    }
    return heads
  }

  /// Deletes an object in a transaction that is never committed. Readers hide the links to it, so that no
  /// record has to be searched for them.
  private func deleteOnTrial(_ key: GraphQL.EntityKey) throws(Graph.StoreError) {
    let deletion = try Deletion(of: [key], in: self)
    let kept = try deletion.linksThatStay()
    for key in deletion.keys { try remove(entityState(of: key)) }
    trial?.gone.formUnion(deletion.keys.isEmpty ? [key] : deletion.keys)
    trial?.kept.merge(kept) { $0.union($1) }
  }
}

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
