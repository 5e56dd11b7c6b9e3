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
