import GraphQLRuntime

extension Graph {
  /// Sends a token with each request and gets a new one when the server refuses it: status 401, or
  /// an error with the code `UNAUTHENTICATED`.
  ///
  /// However many requests are refused at once, the token is refreshed once, and each request is
  /// retried once. A mutation is retried only if it was refused as a whole. If a request is
  /// cancelled or times out, the refresh continues for the others.
  ///
  /// A refresher is one login: it has one token, and every client that uses it sends requests as
  /// that user, to endpoints that may receive the token. Clients of one user may share it; give
  /// each user's client its own refresher, and a new one after each login.
  public actor TokenRefresher: Interceptor {
    private let header: String
    private let scheme: String
    private let refresh: @Sendable () async throws -> String
    private var token: String? { didSet { renewals.publish() } }
    /// The outcome of the last refresh.
    package private(set) var credentialState = CredentialState.good
    package nonisolated let renewals = Renewals()
    private let refreshTimeout: Duration?
    private let time: any TimeSource
    private var refreshing: SharedResult<String>?
    /// Ends the refresh at its deadline.
    private var timeout: ScheduledAction?

    /// - Parameters:
    ///   - header: the header field for the token.
    ///   - scheme: the text before the token; empty for fields that contain only the token.
    ///   - token: the first token; without one, the first request gets one.
    ///   - refreshTimeout: the maximum duration of `refresh`; nil means no limit. After a timeout,
    ///     the waiting requests fail; a request that the server refused fails with that refusal. The
    ///     task of `refresh` is cancelled, its token is ignored, and the next request starts
    ///     another refresh.
    ///   - refresh: gets a new token. Status 400, 401 or 403, the code `UNAUTHENTICATED` or a
    ///     ``QueryError`` with ``QueryError/Code/unauthenticated`` means that the login has ended;
    ///     any other error means that there is no token now.
    public init(
      header: String = "Authorization", scheme: String = "Bearer", token: String? = nil,
      refreshTimeout: Duration? = .seconds(30),
      refresh: @escaping @Sendable () async throws -> String
    ) {
      self.init(
        header: header, scheme: scheme, token: token, refreshTimeout: refreshTimeout,
        time: SystemTime(), refresh: refresh)
    }

    init(
      header: String = "Authorization", scheme: String = "Bearer", token: String? = nil,
      refreshTimeout: Duration?, time: any TimeSource,
      refresh: @escaping @Sendable () async throws -> String
    ) {
      self.header = header
      self.scheme = scheme
      self.token = token
      self.refreshTimeout = refreshTimeout
      self.time = time
      self.refresh = refresh
    }

    /// The number of requests that wait for a token.
    var waiterCount: Int { refreshing?.waiterCount ?? 0 }

    public func prepare(_ request: OperationRequest) async throws -> OperationRequest {
      let token = if let token { token } else { try await freshToken(after: nil) }
      return request.setting(header, value(token))
    }

    public func intercept(
      _ request: OperationRequest, next: Next
    ) async throws -> OperationResponse {
      let sent = request.headers[header]
      let refusal: any Error
      do {
        let response = try await next(request)
        guard Self.isRefusal(response, of: request) else { return response }
        refusal = QueryError.responseErrors(response.errors, response.failedResponse)
      } catch let error as QueryError {
        guard error.refusesToken else { throw error }
        refusal = error
      }
      let token: String
      do { token = try await freshToken(after: sent) } catch {
        try Task.checkCancellation()
        throw refusal
      }
      return try await next(request.setting(header, value(token)))
    }

    private static func isRefusal(
      _ response: OperationResponse, of request: OperationRequest
    ) -> Bool {
      guard response.data == nil || request.kind == .query else { return false }
      return response.status == 401 || response.errors.contains { $0.code == "UNAUTHENTICATED" }
    }

    private func value(_ token: String) -> String {
      scheme.isEmpty ? token : "\(scheme) \(token)"
    }

    /// A token other than the one that was `sent`. A request waits for a refresh in progress.
    private func freshToken(after sent: String?) async throws -> String {
      if let token, value(token) != sent { return token }
      return try await (refreshing ?? beginRefresh()).value
    }

    private func beginRefresh() -> SharedResult<String> {
      let result = SharedResult<String>()
      refreshing = result
      let task = Task { [weak self, refresh] in
        let fresh: Result<String, any Error>
        do { fresh = .success(try await refresh()) } catch { fresh = .failure(error) }
        await self?.end(result, with: fresh)
      }
      guard let refreshTimeout else { return result }
      timeout = time.schedule(after: refreshTimeout) { [weak self] in
        task.cancel()
        let late = TransportError(
          .timedOut, message: "the refresh of the token took longer than \(refreshTimeout)")
        Task { await self?.end(result, with: .failure(late)) }
      }
      return result
    }

    /// The first outcome of a refresh counts.
    private func end(_ result: SharedResult<String>, with fresh: Result<String, any Error>) {
      guard refreshing === result else { return }
      refreshing = nil
      timeout.take()?.cancel()
      credentialState = CredentialState(after: fresh)
      if case .success(let fresh) = fresh { token = fresh }
      result.resolve(fresh)
    }
  }
}

extension Graph.QueryError {
  fileprivate var refusesToken: Bool {
    isUnauthenticated || code == .status && response?.status == 401
  }
}

extension Graph.OperationRequest {
  fileprivate func setting(_ header: String, _ value: String) -> Graph.OperationRequest {
    var request = self
    request.headers[header] = value
    return request
  }
}
