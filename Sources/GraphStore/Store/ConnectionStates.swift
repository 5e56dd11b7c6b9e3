import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The states of one connection of a stored object: with all nodes from the list's start, as far as
  /// pages are adjacent, now and after each page or change; nil while there is none.
  ///
  /// A slow observer gets the newest state. The sequence ends when its task is cancelled.
  public struct ConnectionStates<Connection: GraphQL.AbstractResponse>: AsyncSequence, Sendable {
    public typealias Element = Connection?

    let store: Store
    let key: ConnectionKey

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, key: key) }

    /// Yields the state at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      private let store: Store
      private let key: ConnectionKey
      private let inbox = TypeInbox()
      private let registrations: [Registration]
      /// The observation of the nodes on whose values the places of expected nodes depend.
      private var nodes: Registration?
      private var observedNodes: Set<GraphQL.EntityKey> = []
      private var isFirst = true
      private var last: JSONDocument?

      init(store: Store, key: ConnectionKey) {
        self.store = store
        self.key = key
        registrations = [
          store.hub.observe(type: key.head.typeName, inbox),
          // Eviction finds it by its key, and keeps it and its nodes.
          store.hub.observe([key.head], inbox.signal),
        ]
      }

      public mutating func next() async throws -> Connection?? {
        while true {
          if !isFirst {
            guard await inbox.signal.wait() else { return nil }
          }
          _ = inbox.take()
          let record = try read()
          let isSame = !isFirst && (record.map { last?.isSame(as: $0) ?? false } ?? (last == nil))
          isFirst = false
          last = record
          if !isSame { return .some(record.map { store._reader.object($0) }) }
        }
      }

      private mutating func read() throws(Graph.StoreError) -> JSONDocument? {
        while true {
          let version = store.hub.version
          let (json, visited) = try store.committed.withSnapshot {
            snapshot throws(Graph.StoreError) in try snapshot.connectionAndVisited(key.head)
          }
          let nodes = Set(visited.lazy.filter { !$0.isOfConnection })
          if nodes == observedNodes { return json }
          self.nodes = store.hub.observe(nodes, inbox.signal)
          observedNodes = nodes
          // There may have been a commit between the read and the registration.
          if store.hub.version == version { return json }
        }
      }
    }
  }
}

extension Graph.Store {
  /// The states of one connection of an object: `states(of: Storefront.Collection.self, key: id,
  /// connection: \.products)`. A query's root has the empty key.
  ///
  /// - Parameter arguments: the arguments with which the field was selected, without those that
  ///   select a page.
  /// - Throws: ``StoreError``: `unsupportedKeyPath`, `notAnEntity`.
  public func states<Object: GraphQL.AbstractResponse, Connection: GraphQL.AbstractResponse>(
    of type: Object.Type, key: String, connection path: KeyPath<Object, Connection>,
    arguments: GraphQL.JSON = [:]
  ) throws(Graph.StoreError) -> Graph.ConnectionStates<Connection> {
    try states(type, key, try FieldLocator(path), arguments)
  }

  /// The states of one nullable connection of an object.
  public func states<Object: GraphQL.AbstractResponse, Connection: GraphQL.AbstractResponse>(
    of type: Object.Type, key: String, connection path: KeyPath<Object, Connection?>,
    arguments: GraphQL.JSON = [:]
  ) throws(Graph.StoreError) -> Graph.ConnectionStates<Connection> {
    try states(type, key, try FieldLocator(path), arguments)
  }

  private func states<Connection: GraphQL.AbstractResponse>(
    _ type: GraphQL.AbstractResponse.Type, _ key: String, _ locator: FieldLocator,
    _ arguments: GraphQL.JSON
  ) throws(Graph.StoreError) -> Graph.ConnectionStates<Connection> {
    let owner = GraphQL.EntityKey(typeName: try committed.policies.typeName(of: type), key: key)
    return Graph.ConnectionStates(
      store: self,
      key: ConnectionKey(
        owner: owner, fieldName: locator.path,
        storageKey: arguments == [:]
          ? locator.path : GraphQL.StorageKey.text(locator.path, arguments)))
  }
}
