extension Graph {
  /// Observes and changes operations before they are sent, and responses when they arrive: logging,
  /// tokens, accounting.
  ///
  /// The client calls the interceptors in order, each around the next, for every attempt.
  public protocol Interceptor: Sendable {
    /// A continuation of the chain: the next interceptor, or the request itself.
    typealias Next = @Sendable (OperationRequest) async throws -> OperationResponse

    /// Completes the request before the cache is read. Header fields that identify the user must be
    /// set here: they determine whose responses the cache may return.
    func prepare(_ request: OperationRequest) async throws -> OperationRequest

    /// Wraps one attempt. If it throws anything other than a ``QueryError``, the caller gets it as
    /// the cause of one with the code ``QueryError/Code/transport``.
    func intercept(_ request: OperationRequest, next: Next) async throws -> OperationResponse
  }
}

extension Graph.Interceptor {
  /// Returns the request unchanged.
  public func prepare(_ request: Graph.OperationRequest) -> Graph.OperationRequest { request }

  public func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    try await next(request)
  }
}
