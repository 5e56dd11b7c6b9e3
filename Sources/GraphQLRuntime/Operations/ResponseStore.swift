extension GraphQL {
  /// Keeps the responses to operations: the interface between a client and a store.
  ///
  /// A client passes every response to its store, and reads queries from it if their policy allows
  /// that. `Graph.Store` keeps the objects of the responses. Your own implementation may keep
  /// responses in any way that meets these conditions:
  ///
  /// - A query gets the values of the last response that had them. A query of which any value is
  ///   missing gets no response.
  /// - Later calls see everything that a call has acknowledged.
  /// - A response of an earlier ``generation`` is refused.
  ///
  /// `GraphTesting.ResponseStoreConformance` checks all of it.
  public protocol ResponseStore: Sendable {
    /// Identifies the user whose data is kept: it changes with each logout. A client reads it
    /// before it sends a request.
    var generation: StoreGeneration { get }

    /// Keeps a response, or its contents.
    ///
    /// - Parameter generation: the one in which the request was made; nil for the current one.
    /// - Throws: ``StaleGeneration`` if there was a logout since; nothing is kept then.
    func store<Root>(
      _ response: Response<Root>, of operation: Operation<Root>, in generation: StoreGeneration?
    ) async throws

    /// The response to a query; nil if any of it is missing, or is older than its type allows.
    ///
    /// - Parameter maximumAge: older values count as missing; nil for no limit.
    func response<Root>(
      to operation: Operation<Root>, maximumAge: Duration?
    ) async throws -> StoredResponse<Root>?
  }

  /// Counts the logouts of a store.
  public struct StoreGeneration: Hashable, Sendable {
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

  /// The response to a query from a ``ResponseStore``.
  public struct StoredResponse<Root: ResponseRoot>: Sendable {
    /// The response, checked like a server's.
    public let data: Root
    /// The time since a server's response last contained the oldest part of it; nil if that is
    /// unknown.
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

extension GraphQL {
  /// A store that can be read at once and that tells when its response to a query changes. Live queries follow it.
  public protocol ObservableResponseStore: ResponseStore {
    /// The current response to a query, read without waiting for a write; nil if any of it is missing, or is older
    /// than its type or `maximumAge` allows.
    func currentResponse<Root>(
      to operation: Operation<Root>, maximumAge: Duration?
    ) throws -> StoredResponse<Root>?

    /// Calls `onChange` with the response to a query, now and after each change, until the result is released.
    ///
    /// - Parameter onChange: receives nil while part of the response is missing, or the reason if the response can
    ///   no longer be read; there are no calls after that.
    func observeResponse<Root>(
      to operation: Operation<Root>,
      onChange: @escaping @MainActor @Sendable (Result<StoredResponse<Root>?, any Error>) -> Void
    ) -> any Sendable
  }
}
