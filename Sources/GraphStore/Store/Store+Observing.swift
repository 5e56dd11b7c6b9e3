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

extension Graph {
  /// The states of one object: the current one, then one after each change; nil while there is no
  /// such object.
  ///
  /// A slow observer gets the newest state and skips those between. The sequence ends when its task
  /// is cancelled.
  public struct ObjectStates<Object: GraphQL.AbstractResponse>: AsyncSequence, Sendable {
    public typealias Element = Object?

    let store: Store
    let key: GraphQL.EntityKey

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, key: key) }

    /// Yields the state at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      private let store: Store
      private let key: GraphQL.EntityKey
      private let signal = WakeSignal()
      private let registration: Registration
      private var isFirst = true
      private var last: JSONDocument?

      init(store: Store, key: GraphQL.EntityKey) {
        self.store = store
        self.key = key
        registration = store.hub.observe([key], signal)
      }

      public mutating func next() async throws -> Object?? {
        while true {
          if !isFirst {
            guard await signal.wait() else { return nil }
          }
          let record = try store.committed.record(store.hub.name(of: key))
          // A change and its reversal may have been combined, so that the object is the same.
          let isSame = !isFirst && (record.map { last?.isSame(as: $0) ?? false } ?? (last == nil))
          isFirst = false
          last = record
          if !isSame { return .some(record.map { store._reader.object($0) }) }
        }
      }
    }
  }
}

extension Graph {
  /// The changes to the objects of one type since the sequence was created: keys of objects that were
  /// inserted, updated and deleted.
  ///
  /// Changes that the observer has not received yet are combined. The sequence is for one iteration;
  /// it ends when its task is cancelled.
  public struct TypeChanges: AsyncSequence, Sendable {
    public typealias Element = ChangeSet

    private let inbox = TypeInbox()
    private let registration: Registration

    init(hub: ObserverHub, typeName: String) {
      registration = hub.observe(type: typeName, inbox)
    }

    public func makeAsyncIterator() -> Iterator {
      Iterator(inbox: inbox, registration: registration)
    }

    /// Yields the changes since the last element.
    public struct Iterator: AsyncIteratorProtocol {
      let inbox: TypeInbox
      let registration: Registration

      public mutating func next() async -> ChangeSet? {
        while await inbox.signal.wait() {
          let changes = inbox.take()
          if !changes.isEmpty { return changes }
        }
        return nil
      }
    }
  }
}

extension Graph {
  /// The store's responses to a query, or the states of an object as a fragment: the current one, then one after each
  /// change of an object on which it depends, including missing ones.
  ///
  /// A slow observer gets the newest response and skips those between. The sequence ends when its
  /// task is cancelled.
  public struct QueryStates<Root: Sendable>: AsyncSequence, Sendable {
    public typealias Element = StoredResponse<Root>

    let store: Store
    let read: @Sendable () throws -> StoredResponse<Root>
    /// Whether two responses have the same content.
    let isSame: @Sendable (Root, Root) -> Bool
    /// Whether there is an element after each logout and each change, even if the response is still missing.
    var repeatsMissing = false

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Yields the response at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      private let states: QueryStates
      private let signal = WakeSignal()
      private var registration: Registration?
      private var observedEntities: Set<GraphQL.EntityKey> = []
      private var last: StoredResponse<Root>?
      private var lastGeneration: GraphQL.StoreGeneration?

      init(_ states: QueryStates) { self.states = states }

      public mutating func next() async throws -> StoredResponse<Root>? {
        while true {
          if last != nil {
            guard await signal.wait() else { return nil }
          }
          let updates = signal.takeUpdates()
          let generation = states.store.generation
          let isLogout = states.repeatsMissing && generation != lastGeneration
          lastGeneration = generation
          if let last, let updates, !isLogout, try !affects(last, updates) { continue }
          let response = try read()
          // A field changed that the query does not select.
          let isUnchanged = last.map { isSame($0, response) } ?? false
          last = response
          let isStillMissing = states.repeatsMissing && response.data == nil
          if !isUnchanged || isLogout || isStillMissing { return response }
        }
      }

      /// Reads the response and observes the entities on which it depends.
      private mutating func read() throws -> StoredResponse<Root> {
        while true {
          let version = states.store.hub.version
          let response = try states.read()
          guard response.entities != observedEntities else { return response }
          registration = states.store.hub.observe(response.entities, signal)
          observedEntities = response.entities
          // There may have been a commit between the read and the registration.
          if states.store.hub.version == version { return response }
        }
      }

      /// Whether updates may have changed the response. An update of a connection's head often has not: each page that
      /// is added to a list updates it.
      private func affects(
        _ response: StoredResponse<Root>, _ updates: Set<GraphQL.EntityKey>
      ) throws(StoreError) -> Bool {
        for key in updates where response.shapes[key] == nil { return true }
        return try states.store.committed.withRecords { source throws(StoreError) in
          for key in updates {
            var reader = try ConnectionReader(key: ConnectionKey(head: key), schema: source.schema)
            {
              key throws(StoreError) in try source.record(key)
            }
            for shape in response.shapes[key] ?? [] {
              guard try reader?.still(has: shape) == true else { return true }
            }
          }
          return false
        }
      }

      private func isSame(
        _ left: StoredResponse<Root>, _ right: StoredResponse<Root>
      ) -> Bool {
        guard left.missing == right.missing, left.errors == right.errors else { return false }
        guard let mine = left.data, let theirs = right.data else {
          return (left.data == nil) == (right.data == nil)
        }
        return states.isSame(mine, theirs)
      }
    }
  }
}
