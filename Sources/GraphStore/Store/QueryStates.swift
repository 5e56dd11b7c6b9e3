import GraphQLRuntime

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
