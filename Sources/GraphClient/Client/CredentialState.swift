import GraphQLRuntime

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
