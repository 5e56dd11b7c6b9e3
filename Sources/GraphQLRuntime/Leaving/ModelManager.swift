extension GraphQL {
  /// Keeps the objects of responses: the interface between a client and a store.
  ///
  /// A client passes every response to its model manager, and reads queries from it if their policy
  /// allows that. ``NoModelManager`` keeps nothing; `GraphStore.Store` is a cache. Your own
  /// implementation may keep objects in any way that meets these conditions:
  ///
  /// - An object is identified by ``EntityKey``: a known object is updated, never created twice.
  /// - Fields that a response does not have stay as they are, and so do those that an error made null.
  /// - Later calls see everything that a call has acknowledged.
  /// - A response of an earlier ``generation`` is refused.
  ///
  /// `GraphTesting.ModelManagerConformance` checks all of it.
  public protocol ModelManager: Sendable {
    /// The object of a type with a key; nil when it is not kept.
    func object<Object: AbstractResponse>(
      _ type: Object.Type, key: String
    ) async throws -> Object?

    /// The objects with those keys, with nil in place of each that is not kept.
    func objects<Object: AbstractResponse>(
      _ type: Object.Type, keys: [String]
    ) async throws -> [Object?]

    /// Identifies the user whose data is kept: it changes with each logout. A client reads it
    /// before it sends a request.
    var generation: ModelGeneration { get }

    /// Creates or updates the objects of a response.
    ///
    /// - Parameter generation: the one in which the request was made; nil for the current one.
    /// - Throws: ``StaleGeneration`` if there was a logout since; nothing is kept then.
    @discardableResult
    func write<Root>(
      _ response: Response<Root>, of operation: Operation<Root>, in generation: ModelGeneration?
    ) async throws -> Record

    /// Creates or updates objects from JSON, one or a list of them, whose keys are the type's
    /// fields.
    @discardableResult
    func write(json: [UInt8], as type: AbstractResponse.Type) async throws -> Record

    /// The response to a query from the kept objects; nil if any of it is missing, or is older than
    /// its type allows.
    ///
    /// - Parameter maximumAge: older objects count as missing; nil for no limit.
    func answer<Root>(
      to operation: Operation<Root>, maximumAge: Duration?
    ) async throws -> ModelAnswer<Root>?

    /// Deletes an object.
    func purge(_ type: AbstractResponse.Type, key: String) async throws

    /// Deletes the objects of a type that satisfy a condition.
    func purge<Object: AbstractResponse>(
      _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
    ) async throws

    /// The object in its current state; nil if it was deleted, or has no key.
    func refresh<Object: AbstractResponse>(_ object: Object) async throws -> Object?
  }

  /// Counts the logouts of a model manager.
  public struct ModelGeneration: Hashable, Sendable {
    /// The number of logouts before it.
    public let number: UInt64

    /// The generation after that many logouts.
    public init(_ number: UInt64 = 0) { self.number = number }
  }

  /// A response belongs to a user who has logged out since its request was made.
  public struct StaleGeneration: Error, Hashable, Sendable, CustomStringConvertible {
    public init() {}

    public var description: String { "the response belongs to a user who has logged out" }
  }

  /// A model manager's response to a query.
  public struct ModelAnswer<Root: AbstractResponse>: Sendable {
    /// The response, checked like a server's.
    public let data: Root
    /// The time since a response last contained the oldest of its objects; nil if that is unknown.
    public let age: Duration?
    /// The current errors that the server reported for fields of the response.
    public let errors: [ResponseError]

    /// A response.
    public init(data: Root, age: Duration?, errors: [ResponseError] = []) {
      self.data = data
      self.age = age
      self.errors = errors
    }
  }
}

extension GraphQL.ModelManager {
  /// Creates or updates the objects of a response.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>
  ) async throws -> GraphQL.Record {
    try await write(response, of: operation, in: nil)
  }

  /// The response to a query from the kept objects; nil if any of it is missing or too old for its
  /// type.
  public func answer<Root>(to operation: GraphQL.Operation<Root>) async throws -> Root? {
    try await answer(to: operation, maximumAge: nil)?.data
  }
}
