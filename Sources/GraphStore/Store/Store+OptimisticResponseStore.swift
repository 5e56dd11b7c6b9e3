import GraphQLRuntime

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
