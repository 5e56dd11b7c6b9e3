import GraphJSON
import GraphQLRuntime

extension Graph.Store: GraphQL.ResponseStore {
  /// Stores the objects of a response; ``write(_:of:in:)`` also returns their keys.
  ///
  /// - Throws: `GraphQL.StaleGeneration`, ``StoreError``; nothing was written then.
  public func store<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.StoreGeneration?
  ) async throws {
    try await write(response, of: operation, in: generation)
  }

  /// The store's response to a query; nil if any of it is missing, or older than its type's
  /// ``TypePolicy/maximumAge`` or `maximumAge`. ``ObjectReading/read(_:)`` lists the missing parts.
  public func response<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.StoredResponse<Root>? {
    try committed.withSnapshot { snapshot throws(Graph.StoreError) in
      let stored = try snapshot.read(operation)
      guard let data = stored.data,
        let age = try snapshot.age(of: stored.entities, maximumAge: maximumAge)
      else { return nil }
      return GraphQL.StoredResponse(data: data, age: age, errors: stored.errors)
    }
  }
}

extension Graph.Store: GraphQL.ObservableResponseStore {
  public func currentResponse<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.StoredResponse<Root>? {
    try response(to: operation, maximumAge: maximumAge)
  }

  public func observeResponse<Root>(
    to operation: GraphQL.Operation<Root>,
    onChange:
      @escaping @MainActor @Sendable (
        Result<GraphQL.StoredResponse<Root>?, any Error>
      ) -> Void
  ) -> any Sendable {
    var states = states(of: operation)
    states.repeatsMissing = true
    return Graph.ObservationToken(states, { onChange(.failure($0)) }) { response in
      onChange(
        .success(
          response.data.map {
            GraphQL.StoredResponse(data: $0, age: nil, errors: response.errors)
          }))
    }
  }
}

extension Graph.Store: GraphQL.OptimisticResponseStore {
  /// Shows a change to all readers and observers of this store, on top of everything that is stored, until it is
  /// hidden, until a response is stored in its place, or until a logout.
  ///
  /// The change is only in memory. Transactions, other stores with the same file and other processes do not see it.
  ///
  /// - Throws: `GraphQL.StaleGeneration`; ``StoreError``: `invalidChange`, `invalidJSON` and `notAnEntity` for a
  ///   change that the schema does not allow.
  public func show(
    _ change: Graph.StoreChange, in generation: GraphQL.StoreGeneration?
  ) throws -> GraphQL.OptimisticChangeID {
    let policies = committed.policies
    let checked = try committed.withSnapshot { snapshot throws(Graph.StoreError) in
      let planner = policies.makePlanner()
      return try ChangeChecker(policies: policies, planner: planner, object: nil) {
        key throws(Graph.StoreError) in try snapshot.record(key) != nil
      }.check(change)
    }
    let id = try committed.change { state in
      // A logout counts before it removes the expected changes.
      if let generation, generation.number != logoutCounter.current {
        throw GraphQL.StaleGeneration()
      }
      return state.expected.add(checked)
    }
    publisher.publish()
    return GraphQL.OptimisticChangeID(id)
  }

  public func hide(_ id: GraphQL.OptimisticChangeID) {
    let isHidden = committed.change { state in
      let count = state.expected.list.count
      state.expected.remove(id.number)
      return state.expected.list.count < count
    }
    if isHidden { publisher.publish() }
  }

  public func store<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.StoreGeneration?, applying updates: Graph.StoreChange,
    inPlaceOf id: GraphQL.OptimisticChangeID?
  ) async throws {
    let problem: Graph.StoreError? = try await writer.perform { [self] transaction in
      if let generation { try check(generation, in: transaction) }
      try transaction.write(response, of: operation)
      if let id { transaction.endExpectedChange(id.number) }
      do throws(Graph.StoreError) {
        try transaction.apply(try transaction.check(updates))
        return nil
      } catch  where error.isOfChange {
        // Nothing of the updates was applied, and the response is stored.
        return error
      }
    }
    if let problem { throw problem }
  }
}

extension Graph.StoreError {
  /// Whether a change does not fit the schema, which is found before any of it is applied.
  fileprivate var isOfChange: Bool {
    code == .invalidChange || code == .invalidJSON || code == .notAnEntity
  }
}

/// Notifies observers of commits, and of the changes that a client expects: of records that readers see
/// differently than before.
final class ExpectedChangePublisher: Sendable {
  private let committed: CommittedRecords
  private let hub: ObserverHub
  /// The records as of the last publication.
  private let last = Locked(ExpectedRecords())

  init(committed: CommittedRecords, hub: ObserverHub) {
    self.committed = committed
    self.hub = hub
  }

  /// The entities that an expected change affects.
  var keys: Set<GraphQL.EntityKey> { last.withLock { Set($0.entries.keys) } }

  /// Publishes a commit with the effects of expected changes that have begun or ended.
  func publish(_ commit: CommittedChanges = CommittedChanges()) {
    last.withLock { last in
      guard committed.isExpecting || !last.isEmpty else { return hub.publish(commit) }
      do {
        var changes = commit
        last = try committed.withSnapshot { snapshot throws(Graph.StoreError) in
          let now = snapshot.expected ?? ExpectedRecords()
          let keys = Set(last.entries.keys).union(now.entries.keys)
          let inserted = Set(commit.inserted)
          changes.remove(keys)
          for key in keys {
            changes.add(
              key, from: last[key], to: try snapshot.record(key),
              wasStored: now[key]?.isStored == true && !inserted.contains(key))
          }
          changes.affectsAll = commit.affectsAll || last.gone != now.gone
          return now
        }
        if !changes.isEmpty { hub.publish(changes) }
      } catch {
        // Each observer reads again, and gets the error.
        hub.publish(commit)
        hub.publishForeign()
      }
    }
  }
}

extension CommittedChanges {
  fileprivate mutating func remove(_ keys: Set<GraphQL.EntityKey>) {
    inserted.removeAll(where: keys.contains)
    updated.removeAll(where: keys.contains)
    deleted.removeAll(where: keys.contains)
  }

  /// Adds an entity that an expected change affects, or has affected.
  ///
  /// - Parameters:
  ///   - old: the entity as it was published last; nil if it was not affected then.
  ///   - new: its record as readers see it.
  ///   - wasStored: whether readers saw a record before, if it was not affected then.
  fileprivate mutating func add(
    _ key: GraphQL.EntityKey, from old: ExpectedRecords.Entry?, to new: JSONDocument?,
    wasStored: Bool
  ) {
    // The order of a list by a field may change although its record does not.
    touched.append(key)
    switch (old?.json, new) {
    case (let old?, let new?): if !old.isSame(as: new) { updated.append(key) }
    case (.some, nil): deleted.append(key)
    // Before, readers saw the stored record.
    case (nil, .some) where old == nil && wasStored: updated.append(key)
    case (nil, .some): inserted.append(key)
    case (nil, nil): if old == nil { deleted.append(key) }
    }
  }
}
