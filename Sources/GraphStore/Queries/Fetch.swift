import GraphQLRuntime
import GraphStorage

extension Graph {
  /// A search for objects of one type, built step by step and run by ``all()``, ``first()``,
  /// ``count()`` or ``exists()``.
  ///
  /// ```swift
  /// let products = try store.fetch(Storefront.Product.self)
  ///   .filter(\.vendor == "Acme" && \.priceRange.min.amount > 10)
  ///   .sorted(by: \.title)
  ///   .limit(50)
  ///   .all()
  /// ```
  ///
  /// Without a sort order, objects are in the order in which they were first stored.
  public struct Fetch<Object: GraphQL.AbstractResponse> {
    let reader: ObjectReader
    private(set) var request = FetchRequest<Object>()

    init(reader: ObjectReader) { self.reader = reader }

    /// Only objects that satisfy the condition, and those of earlier calls.
    public func filter(_ filter: Filter<Object>) -> Fetch {
      var fetch = self
      fetch.request.filter = request.filter.map { $0 && filter } ?? filter
      return fetch
    }

    /// Sorted by a field; a further call sorts objects that are equal so far. Null and missing values
    /// come first, or last when descending; equal objects stay in the order of their insertion.
    ///
    /// - Parameter collation: how strings are compared.
    public func sorted<Value>(
      by path: KeyPath<Object, Value>, descending: Bool = false, collation: Collation = .binary
    ) -> Fetch {
      var fetch = self
      do throws(Graph.StoreError) {
        let leaf = (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
        guard let kind = GraphQL.LeafKind(leaf) else {
          throw StoreError(.unsupportedKeyPath, "the store cannot sort by a \(Value.self)")
        }
        fetch.request.orders.append(
          .init(
            locator: try FieldLocator(path), kind: kind, isDescending: descending,
            collation: collation))
      } catch {
        fetch.request.problem = error
      }
      return fetch
    }

    /// At most that many objects; a negative number is treated as 0.
    public func limit(_ count: Int) -> Fetch {
      var fetch = self
      fetch.request.limit = max(0, count)
      return fetch
    }

    /// Without the first objects, of the given number; a negative number is treated as 0.
    public func offset(_ count: Int) -> Fetch {
      var fetch = self
      fetch.request.offset = max(0, count)
      return fetch
    }

    /// The objects, from one snapshot.
    ///
    /// - Throws: ``StoreError``, in particular `unsupportedKeyPath` and `notAnEntity`.
    public func all() throws(Graph.StoreError) -> [Object] {
      if request.isUnconditional,
        let texts = try reader.reading.texts(
          ofType: reader.policies.typeName(of: Object.self), offset: request.offset,
          limit: request.limit)
      {
        return texts.objects(of: Object.self, links: reader.reading.links)
      }
      return try run { typeName, source throws(Graph.StoreError) in
        // The targets of the objects' links are read once for all of them.
        let links = reader.reading.links
        return try request.matches(in: source, ofType: typeName).map {
          Object._stored($0.json, links: links)
        }
      }
    }

    /// The first of the objects; nil if there is none.
    ///
    /// - Throws: as ``all()``.
    public func first() throws(Graph.StoreError) -> Object? { try limit(1).all().first }

    /// The number of objects, regardless of the limit and offset.
    ///
    /// - Throws: as ``all()``.
    public func count() throws(Graph.StoreError) -> Int {
      try run { typeName, source throws(Graph.StoreError) in
        if request.filter == nil, request.problem == nil {
          return try source.count(ofType: typeName)
        }
        var count = 0
        _ = try request.forEachMatch(in: source, ofType: typeName) { _ throws(Graph.StoreError) in
          count += 1
          return true
        }
        return count
      }
    }

    /// Whether there is such an object.
    ///
    /// - Throws: as ``all()``.
    public func exists() throws(Graph.StoreError) -> Bool {
      try run { typeName, source throws(Graph.StoreError) in
        var exists = false
        _ = try request.forEachMatch(in: source, ofType: typeName) { _ throws(Graph.StoreError) in
          exists = true
          return false
        }
        return exists
      }
    }

    private func run<Result>(
      _ body: (String, any RecordSource) throws(Graph.StoreError) -> Result
    ) throws(Graph.StoreError) -> Result {
      let typeName = try reader.policies.typeName(of: Object.self)
      return try reader.reading.withRecords { source throws(Graph.StoreError) in
        try body(typeName, source)
      }
    }
  }
}

extension Graph.ObjectReading {
  /// A search for objects of a type.
  public func fetch<Object: GraphQL.AbstractResponse>(_ type: Object.Type) -> Graph.Fetch<Object> {
    Graph.Fetch(reader: _reader)
  }
}

/// The type inside an optional.
private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}

extension Graph.Transaction {
  /// Deletes the objects of a type that satisfy a condition; see ``delete(_:key:)``.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  @discardableResult
  public func delete<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: (Object) -> Bool
  ) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    try checkOpen()
    let typeName = try policies.typeName(of: type)
    var keys: [GraphQL.EntityKey] = []
    try forEachRecord(ofType: typeName) { key, json throws(Graph.StoreError) in
      if condition(_reader.object(json)) {
        keys.append(GraphQL.EntityKey(typeName: typeName, key: key))
      }
      return true
    }
    return try delete(keys)
  }
}
