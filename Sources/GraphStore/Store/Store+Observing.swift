import GraphJSON
import GraphQLRuntime

extension Graph.Store {
  /// The states of one object, from the current one when the iteration begins.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func states<Object: GraphQL.AbstractResponse>(
    of type: Object.Type, key: String
  ) throws(Graph.StoreError) -> Graph.ObjectStates<Object> {
    Graph.ObjectStates(store: self, key: try committed.policies.key(type, key))
  }

  /// The changes to the objects of a type from now on.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func changes(
    of type: GraphQL.AbstractResponse.Type
  ) throws(Graph.StoreError) -> Graph.TypeChanges {
    Graph.TypeChanges(hub: hub, typeName: try committed.policies.typeName(of: type))
  }

  /// The responses to a query, from the store's current one when the iteration begins.
  public func states<Root>(of operation: GraphQL.Operation<Root>) -> Graph.QueryStates<Root> {
    Graph.QueryStates(
      store: self, read: { try self.read(operation) }, isSame: { $0._hasSameContent(as: $1) })
  }

  /// The states of the object with a key as a fragment of a document, from the current one when the iteration begins.
  /// The data is nil while part of it is not stored.
  ///
  /// - Parameters: As for ``ObjectReading/read(_:typeName:key:variables:)``.
  /// - Throws: ``StoreError``, in particular `wrongSchema` and `notAnEntity`.
  public func states<Fragment: GraphQL.TypedFragment>(
    of fragment: Fragment.Type, typeName: String? = nil, key: String,
    variables: GraphQL.JSON = .object([:])
  ) throws(Graph.StoreError) -> Graph.QueryStates<Fragment> {
    let (key, reader) = try fragmentReader(fragment, typeName, key, variables)
    return Graph.QueryStates(
      store: self, read: { try self.read(fragment, key, reader) }, isSame: { $0 == $1 })
  }

  /// Calls `onChange` on the main actor with the state of an object, now and after each change,
  /// until the token is released.
  ///
  /// - Parameter onError: receives the reason if the object can no longer be read; there are no
  ///   calls after that.
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func observe<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, key: String,
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    onChange: @escaping @MainActor @Sendable (Object?) -> Void
  ) throws(Graph.StoreError) -> Graph.ObservationToken {
    Graph.ObservationToken(try states(of: type, key: key), onError, onChange)
  }

  /// Calls `onChange` on the main actor with the response to a query, now and after each change,
  /// until the token is released.
  ///
  /// - Parameter onError: receives the reason if the response can no longer be read; there are no
  ///   calls after that.
  public func observe<Root>(
    _ operation: GraphQL.Operation<Root>,
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    onChange: @escaping @MainActor @Sendable (Graph.StoredResponse<Root>) -> Void
  ) -> Graph.ObservationToken {
    Graph.ObservationToken(states(of: operation), onError, onChange)
  }
}

extension Graph {
  /// An observation that ends when the token is released.
  public final class ObservationToken: Sendable {
    private let task: Task<Void, Never>

    package init<States: AsyncSequence & Sendable>(
      _ states: States, _ onError: (@MainActor @Sendable (any Error) -> Void)?,
      _ onChange: @escaping @MainActor @Sendable (States.Element) -> Void
    ) where States.Element: Sendable {
      task = Task { @MainActor in
        do {
          for try await state in states {
            if Task.isCancelled { return }
            onChange(state)
          }
        } catch {
          if !Task.isCancelled { onError?(error) }
        }
      }
    }

    deinit { task.cancel() }

    /// Ends the observation.
    public func stop() { task.cancel() }
  }
}
