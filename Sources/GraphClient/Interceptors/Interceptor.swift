extension Graph {
  /// Sees operations on their way out and answers on their way in: logging, tokens, accounting.
  ///
  /// The client calls the interceptors in order, each around the next, for every attempt.
  public protocol Interceptor: Sendable {
    /// A continuation of the chain: the next interceptor, or the request itself.
    typealias Next = @Sendable (OperationRequest) async throws -> OperationResponse

    /// Completes the request, before the cache is asked. Fields that say who asks belong here: they
    /// decide whose answers the cache may give.
    func prepare(_ request: OperationRequest) async throws -> OperationRequest

    /// Goes around one attempt. What it throws that is no ``QueryError`` reaches the caller as
    /// ``QueryError/request(error:)``.
    func intercept(_ request: OperationRequest, next: Next) async throws -> OperationResponse
  }
}

extension Graph.Interceptor {
  /// The request as it is.
  public func prepare(_ request: Graph.OperationRequest) -> Graph.OperationRequest { request }

  public func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    try await next(request)
  }
}
