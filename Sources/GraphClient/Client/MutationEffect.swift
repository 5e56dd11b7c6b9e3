import GraphQLRuntime

extension Graph {
  /// The effect of a mutation on the client's store: the expected one, and that of its response.
  package struct MutationEffect<Root: GraphQL.ResponseRoot>: Sendable {
    let optimistic: StoreChange
    let updates: (@Sendable (Root) -> StoreChange)?

    /// nil if the mutation has no effect other than the objects of its response.
    init?(_ optimistic: StoreChange, _ updates: (@Sendable (Root) -> StoreChange)?) {
      if optimistic.isEmpty, updates == nil { return nil }
      self.optimistic = optimistic
      self.updates = updates
    }

    /// Shows the expected change.
    ///
    /// - Returns: nil if there is none, or the user has logged out since.
    /// - Throws: `invalidChange` if the store cannot show it.
    func show(
      in store: (any GraphQL.ResponseStore)?, _ generation: GraphQL.StoreGeneration?
    ) throws(QueryError) -> ShownChange? {
      guard let store = store as? any GraphQL.OptimisticResponseStore else {
        throw QueryError(
          .invalidChange,
          message: "`optimistic` and `updates` change the objects of a store, and the client has "
            + (store == nil ? "none; create it with `store:`" : "a store without objects"))
      }
      if optimistic.isEmpty { return nil }
      do {
        return ShownChange(store: store, id: try store.show(optimistic, in: generation))
      } catch is GraphQL.StaleGeneration {
        return nil
      } catch {
        throw QueryError(
          .invalidChange, message: "the optimistic change cannot be shown: \(error)", cause: error)
      }
    }

    func effect(of content: CheckedResponse, inPlaceOf shown: ShownChange?) -> StoreEffect {
      StoreEffect(
        expected: shown?.id,
        updates: (content.data as? Root).flatMap { updates?($0) } ?? [])
    }
  }

  /// A change that a store shows.
  struct ShownChange: Sendable {
    let store: any GraphQL.OptimisticResponseStore
    let id: GraphQL.OptimisticChangeID

    func hide() { store.hide(id) }
  }
}
