extension GraphQL {
  /// Where the objects of responses are kept: the point at which a client and a store meet.
  ///
  /// A client hands every response to its model manager, and may ask it for the answer to a query
  /// before it asks the server. ``NoModelManager`` keeps nothing; `GraphStore.Store` is the one that
  /// caches. One of your own may keep objects in any way, as long as this holds:
  ///
  /// - An object is identified by ``EntityKey``: an object that is known is updated, never made twice.
  /// - Fields that a response does not have stay as they are.
  /// - What a call has acknowledged is what later calls see.
  public protocol ModelManager: Sendable {
    /// The object of a type with a key; nil when it is not kept.
    func object<Object: AbstractResponse>(
      _ type: Object.Type, key: String
    ) async throws -> Object?

    /// The objects with those keys, nil in the place of each that is not kept.
    func objects<Object: AbstractResponse>(
      _ type: Object.Type, keys: [String]
    ) async throws -> [Object?]

    /// Makes or updates the objects of a response.
    @discardableResult
    func write<Root>(
      _ response: Response<Root>, of operation: Operation<Root>
    ) async throws -> Record

    /// Makes or updates objects from JSON, one or a list of them, whose keys are the type's fields.
    @discardableResult
    func write(json: [UInt8], as type: AbstractResponse.Type) async throws -> Record

    /// The answer to a query from what is kept; nil when any of it is missing.
    func answer<Root>(to operation: Operation<Root>) async throws -> Root?

    /// Forgets an object.
    func purge(_ type: AbstractResponse.Type, key: String) async throws

    /// Forgets the objects of a type that satisfy a condition.
    func purge<Object: AbstractResponse>(
      _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
    ) async throws

    /// The object as it is kept now; nil when it is gone, or has no key.
    func refresh<Object: AbstractResponse>(_ object: Object) async throws -> Object?
  }

  /// The model manager that keeps nothing.
  public struct NoModelManager: ModelManager {
    public init() {}

    public func object<Object: AbstractResponse>(_: Object.Type, key: String) -> Object? { nil }

    public func objects<Object: AbstractResponse>(
      _: Object.Type, keys: [String]
    ) -> [Object?] {
      keys.map { _ in nil }
    }

    @discardableResult
    public func write<Root>(_: Response<Root>, of _: Operation<Root>) -> Record { Record() }

    @discardableResult
    public func write(json: [UInt8], as _: AbstractResponse.Type) -> Record { Record() }

    public func answer<Root>(to _: Operation<Root>) -> Root? { nil }

    public func purge(_: AbstractResponse.Type, key: String) {}

    public func purge<Object: AbstractResponse>(
      _: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
    ) {}

    public func refresh<Object: AbstractResponse>(_: Object) -> Object? { nil }
  }
}
