import GraphQLRuntime

extension Graph {
  /// Sends a token with each request and gets a new one when the server refuses it: status 401, an
  /// error with the code `UNAUTHENTICATED`, or the close code 4401 or 4403 of a web socket.
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
    /// A token that the server has refused without a request, until a refresh has ended.
    private(set) var refused: String?
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
      let token =
        if let token, token != refused { token } else {
          try await freshToken(after: refused.map(value))
        }
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

    /// The server has refused the token in these header fields: waits for another one.
    ///
    /// - Returns: false if there is none.
    func renew(after headers: Headers) async -> Bool {
      (try? await freshToken(after: headers[header])) != nil
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

    /// The server has refused the token in these header fields: the next request gets another one.
    func refuse(_ headers: Headers) {
      if let token, headers[header] == value(token) { refused = token }
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
      refused = nil
      timeout.take()?.cancel()
      credentialState = CredentialState(after: fresh)
      if case .success(let fresh) = fresh { token = fresh }
      result.resolve(fresh)
    }
  }
}

extension Graph.QueryError {
  fileprivate var refusesToken: Bool {
    code == .unauthenticated || code == .status && response?.status == 401
  }
}

extension Graph.OperationRequest {
  fileprivate func setting(_ header: String, _ value: String) -> Graph.OperationRequest {
    var request = self
    request.headers[header] = value
    return request
  }
}

extension Graph {
  /// The state of a login as its refreshes show it.
  package enum CredentialState: Sendable, Comparable {
    /// There is a token.
    case good
    /// There is no token now, because of the network or a busy server.
    case unavailable
    /// The credentials were refused.
    case refused

    init(after refresh: Result<String, any Error>) {
      self =
        switch refresh {
        case .success: .good
        case .failure(let error): QueryError(error).refusesCredentials ? .refused : .unavailable
        }
    }
  }
}

extension Graph.QueryError {
  /// Whether a failure before a request was created, such as getting its token, shows that the
  /// credentials are refused.
  package var refusesCredentials: Bool {
    switch code {
    case .noCredentials, .unauthenticated: true
    // A token server also refuses with 400 (RFC 6749, 5.2).
    case .status: [400, 401, 403].contains(response?.status)
    case .responseErrors: errors.contains { $0.code == "UNAUTHENTICATED" }
    default: false
    }
  }
}

extension Graph.Client {
  private var refreshers: [Graph.TokenRefresher] {
    pipeline.interceptors.compactMap { $0 as? Graph.TokenRefresher }
  }

  /// The server has refused the credentials in the header fields of a web socket: the next request gets others.
  func refuseToken(in headers: Graph.Headers) async {
    for refresher in refreshers { await refresher.refuse(headers) }
  }

  /// The server has refused the credentials in the header fields of an operation.
  ///
  /// - Returns: whether the next request has others.
  func renewToken(after headers: Graph.Headers) async -> Bool {
    var isRenewed = false
    for refresher in refreshers where await refresher.renew(after: headers) { isRenewed = true }
    return isRenewed
  }

  /// The login state of this client's requests; nil if none of its interceptors knows it.
  package var credentialState: Graph.CredentialState? {
    get async {
      var worst: Graph.CredentialState?
      for refresher in refreshers {
        let credentialState = await refresher.credentialState
        worst = max(worst ?? credentialState, credentialState)
      }
      return worst
    }
  }

  /// The number of new tokens of the client's interceptors.
  package var renewalCount: Int { refreshers.reduce(0) { $0 + $1.renewals.count } }

  /// Calls `body` whenever one of the client's interceptors has a new token, until the returned
  /// tokens are released.
  package func whenTokenIsRenewed(
    _ body: @escaping @Sendable () -> Void
  ) -> [Graph.RenewalToken] {
    refreshers.map { $0.renewals.add(body) }
  }
}

extension Graph {
  /// Notifies observers of each new token.
  package final class Renewals: Sendable {
    private struct State {
      var count = 0
      var nextID = 0
      var observers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// The number of tokens after the first.
    var count: Int { state.withLock { $0.count } }

    func publish() {
      let observers = state.withLock { state in
        state.count += 1
        return Array(state.observers.values)
      }
      for observer in observers { observer() }
    }

    func add(_ observer: @escaping @Sendable () -> Void) -> RenewalToken {
      let id = state.withLock { state in
        state.nextID += 1
        state.observers[state.nextID] = observer
        return state.nextID
      }
      return RenewalToken { [self] in state.withLock { $0.observers[id] = nil } }
    }
  }

  /// Keeps an observer of ``Renewals`` until it is released.
  package final class RenewalToken: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }
}
