import GraphQLRuntime

extension Graph {
  /// Sends a token with each request and gets a fresh one when the server refuses it: status 401,
  /// or an error with the code `UNAUTHENTICATED`.
  ///
  /// However many requests are refused at once, the token is refreshed once, and each is sent again
  /// once. A mutation is sent again only where it was refused as a whole. A request that is cancelled, or
  /// whose time is up, leaves the refresh running for the others.
  ///
  /// A refresher is one login: it has one token, and whoever it is given to asks as that user, at an
  /// endpoint that may see the token. Clients of one user may share it; give each user's client one of
  /// its own, and a new one after each login.
  public actor TokenRefresher: Interceptor {
    private let header: String
    private let scheme: String
    private let refresh: @Sendable () async throws -> String
    private var token: String? { didSet { renewals.publish() } }
    /// How the last refresh ended.
    package private(set) var standing = LoginStanding.good
    package nonisolated let renewals = Renewals()
    private let refreshTimeout: Duration?
    private let time: any TimeSource
    private var refreshing: SharedResult<String>?
    /// When the refresh has taken too long.
    private var alarm: Alarm?

    /// - Parameters:
    ///   - header: the field that carries the token.
    ///   - scheme: what stands before it; empty for fields that hold nothing else.
    ///   - token: the token to begin with; without one the first request gets one.
    ///   - refreshTimeout: the longest time that `refresh` may take; nil is no limit. When it is up,
    ///     the requests that wait fail, a request that the server refused with its refusal. The task
    ///     of `refresh` is cancelled, its token does not count any more, and the next request begins
    ///     another refresh.
    ///   - refresh: makes a new token. Status 400, 401 or 403, the code `UNAUTHENTICATED` or a
    ///     ``Failure`` with ``Failure/Code/unauthenticated`` says that the login is at its end; any
    ///     other error, that there is no token for now.
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

    /// How many requests wait for a token.
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
        refusal = QueryError.invalidQuery(reasons: response.reasons)
      } catch let error as QueryError {
        switch error {
        case .http(statusCode: 401, _): refusal = error
        case .other(let failure) where failure.code == .unauthenticated: refusal = error
        default: throw error
        }
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
      return response.status == 401 || response.reasons.contains { $0.code == "UNAUTHENTICATED" }
    }

    private func value(_ token: String) -> String {
      scheme.isEmpty ? token : "\(scheme) \(token)"
    }

    /// A token other than the one that was `sent`. A request that comes while one is on its way waits
    /// for it.
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
      alarm = time.alarm(after: refreshTimeout) { [weak self] in
        task.cancel()
        let late = TransportError(
          .timedOut, message: "the refresh of the token took longer than \(refreshTimeout)")
        Task { await self?.end(result, with: .failure(late)) }
      }
      return result
    }

    /// The first end of a refresh counts.
    private func end(_ result: SharedResult<String>, with fresh: Result<String, any Error>) {
      guard refreshing === result else { return }
      refreshing = nil
      alarm.take()?.cancel()
      standing = LoginStanding(after: fresh)
      if case .success(let fresh) = fresh { token = fresh }
      result.resolve(fresh)
    }
  }
}

extension Graph.OperationRequest {
  fileprivate func setting(_ header: String, _ value: String) -> Graph.OperationRequest {
    var request = self
    request.headers[header] = value
    return request
  }
}
