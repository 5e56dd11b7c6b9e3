import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph {
  /// The results of a fetch: the current ones, then those after each change that affects them.
  ///
  /// A slow observer gets the newest results, with all changes since its last ones. The sequence ends
  /// when its task is cancelled.
  public struct ResultStates<Object: GraphQL.AbstractResponse>: AsyncSequence, Sendable {
    public typealias Element = FetchedResults<Object>

    let store: Store
    let request: FetchRequest<Object>
    let typeName: String
    let section: FieldLocator?

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Yields the results at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      private let states: ResultStates
      private let inbox = TypeInbox()
      private let registrations: [Registration]
      private var last: FetchedResults<Object>?

      init(_ states: ResultStates) {
        self.states = states
        // Registered before the first read, so that no change is missed between the two.
        registrations = states.observedTypes.map { [inbox] in
          states.store.hub.observe(type: $0, inbox)
        }
      }

      public mutating func next() async throws -> FetchedResults<Object>? {
        while true {
          if last != nil {
            guard await inbox.signal.wait() else { return nil }
          }
          _ = inbox.take()
          let results = try states.results(after: last)
          if last != nil, results.changes.isEmpty, results.sections == last?.sections { continue }
          last = results
          return results
        }
      }
    }

    /// The type, and those on the key paths through other objects.
    private var observedTypes: Set<String> {
      let schema = store.committed.policies.schema
      var names: Set<String> = [typeName]
      let paths =
        (request.filter?.paths ?? []) + request.orders.map(\.locator.path)
        + (section.map { [$0.path] } ?? [])
      for path in paths { names.formUnion(schema.entityTypeNames(along: path, from: typeName)) }
      return names
    }

    private func results(
      after last: FetchedResults<Object>?
    ) throws(Graph.StoreError) -> FetchedResults<Object> {
      try store.committed.withSnapshot { snapshot throws(Graph.StoreError) in
        let matches = try request.matches(in: snapshot, ofType: typeName)
        var names: [String?]?
        if let section {
          var found: [String?] = []
          for match in matches {
            let value = try section.find(match.json, JSONDocument.rootIndex, snapshot)
            found.append(value.flatMap { Self.text($0.json, $0.index) })
          }
          names = found
        }
        let reader = store._reader
        return FetchedResults(matches, typeName: typeName, sections: names, after: last) {
          reader.object($0)
        }
      }
    }

    private static func text(_ json: JSONDocument, _ index: Int) -> String? {
      switch json.kind(at: index) {
      case .string: json.string(at: index)
      case .number: json.numberText(at: index)
      case .bool: json.bool(at: index) ? "true" : "false"
      case .null, .object, .array: nil
      }
    }
  }
}

extension Graph.Store {
  /// The results of a fetch, updated from the start of the iteration.
  ///
  /// ```swift
  /// let fetch = store.fetch(Storefront.Product.self).sorted(by: \.vendor).sorted(by: \.title)
  /// for try await results in try store.states(of: fetch, sectionedBy: \.vendor) {
  ///   for section in results.sections { print(section.name ?? "", section.range.count) }
  /// }
  /// ```
  ///
  /// - Parameter sectionedBy: a field whose equal neighbours form sections; sort by it first.
  /// - Throws: ``StoreError``: `unsupportedKeyPath`, `notAnEntity`.
  public func states<Object: GraphQL.AbstractResponse, Value>(
    of fetch: Graph.Fetch<Object>, sectionedBy path: KeyPath<Object, Value>
  ) throws(Graph.StoreError) -> Graph.ResultStates<Object> {
    try states(of: fetch, section: try FieldLocator(path))
  }

  /// The results of a fetch, without sections.
  ///
  /// - Throws: ``StoreError``: `unsupportedKeyPath`, `notAnEntity`.
  public func states<Object: GraphQL.AbstractResponse>(
    of fetch: Graph.Fetch<Object>
  ) throws(Graph.StoreError) -> Graph.ResultStates<Object> {
    try states(of: fetch, section: nil)
  }

  private func states<Object: GraphQL.AbstractResponse>(
    of fetch: Graph.Fetch<Object>, section: FieldLocator?
  ) throws(Graph.StoreError) -> Graph.ResultStates<Object> {
    if let problem = fetch.request.problem { throw problem }
    return Graph.ResultStates(
      store: self, request: fetch.request,
      typeName: try committed.policies.typeName(of: Object.self), section: section)
  }

  /// Calls `onChange` on the main actor with the results of a fetch, now and after each change,
  /// until the token is released.
  ///
  /// - Parameter onError: receives the reason if the results can no longer be read; there are no
  ///   calls after that.
  /// - Throws: ``StoreError``: `unsupportedKeyPath`, `notAnEntity`.
  public func observe<Object: GraphQL.AbstractResponse>(
    _ fetch: Graph.Fetch<Object>,
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    onChange: @escaping @MainActor @Sendable (Graph.FetchedResults<Object>) -> Void
  ) throws(Graph.StoreError) -> Graph.ObservationToken {
    Graph.ObservationToken(try states(of: fetch), onError, onChange)
  }
}
