extension GraphQL {
  /// Where the objects of responses are kept: the point at which a client and a store meet.
  ///
  /// A client hands every response to its model manager, and asks it for the answers to queries whose
  /// policy allows that. ``NoModelManager`` keeps nothing; `GraphStore.Store` is the one that caches.
  /// One of your own may keep objects in any way, as long as this holds:
  ///
  /// - An object is identified by ``EntityKey``: an object that is known is updated, never made twice.
  /// - Fields that a response does not have stay as they are, and so do those that an error made null.
  /// - What a call has acknowledged is what later calls see.
  /// - A response of an earlier ``generation`` is refused.
  ///
  /// `GraphTesting.ModelManagerConformance` checks all of it.
  public protocol ModelManager: Sendable {
    /// The object of a type with a key; nil when it is not kept.
    func object<Object: AbstractResponse>(
      _ type: Object.Type, key: String
    ) async throws -> Object?

    /// The objects with those keys, nil in the place of each that is not kept.
    func objects<Object: AbstractResponse>(
      _ type: Object.Type, keys: [String]
    ) async throws -> [Object?]

    /// Whose data is kept: it changes with each logout. A client takes it before it sends a request.
    var generation: ModelGeneration { get }

    /// Makes or updates the objects of a response.
    ///
    /// - Parameter generation: the one in which the request was made; nil for the current one.
    /// - Throws: ``StaleGeneration`` when somebody has logged out since; nothing is kept then.
    @discardableResult
    func write<Root>(
      _ response: Response<Root>, of operation: Operation<Root>, in generation: ModelGeneration?
    ) async throws -> Record

    /// Makes or updates objects from JSON, one or a list of them, whose keys are the type's fields.
    @discardableResult
    func write(json: [UInt8], as type: AbstractResponse.Type) async throws -> Record

    /// The answer to a query from what is kept; nil when any of it is missing, or is older than its
    /// type allows.
    ///
    /// - Parameter maximumAge: what is older does not count either; nil sets no bound.
    func answer<Root>(
      to operation: Operation<Root>, maximumAge: Duration?
    ) async throws -> ModelAnswer<Root>?

    /// Forgets an object.
    func purge(_ type: AbstractResponse.Type, key: String) async throws

    /// Forgets the objects of a type that satisfy a condition.
    func purge<Object: AbstractResponse>(
      _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
    ) async throws

    /// The object as it is kept now; nil when it is gone, or has no key.
    func refresh<Object: AbstractResponse>(_ object: Object) async throws -> Object?
  }

  /// Counts the logouts of a model manager.
  public struct ModelGeneration: Hashable, Sendable {
    /// The number of logouts before it.
    public let number: UInt64

    /// The generation after so many logouts.
    public init(_ number: UInt64 = 0) { self.number = number }
  }

  /// A response belongs to a user who has logged out since its request was made.
  public struct StaleGeneration: Error, Hashable, Sendable, CustomStringConvertible {
    public init() {}

    public var description: String { "the response belongs to a user who has logged out" }
  }

  /// The answer to a query as a model manager has it.
  public struct ModelAnswer<Root: AbstractResponse>: Sendable {
    /// The answer, checked as a server's is.
    public let data: Root
    /// How long ago a response last brought the oldest of its objects; nil when that is unknown.
    public let age: Duration?
    /// The errors that the server reported for fields of the answer and that still stand.
    public let errors: [ResponseError]

    /// An answer.
    public init(data: Root, age: Duration?, errors: [ResponseError] = []) {
      self.data = data
      self.age = age
      self.errors = errors
    }
  }
}

extension GraphQL.ModelManager {
  /// Makes or updates the objects of a response.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>
  ) async throws -> GraphQL.Record {
    try await write(response, of: operation, in: nil)
  }

  /// The answer to a query from what is kept; nil when any of it is missing or too old for its type.
  public func answer<Root>(to operation: GraphQL.Operation<Root>) async throws -> Root? {
    try await answer(to: operation, maximumAge: nil)?.data
  }
}
