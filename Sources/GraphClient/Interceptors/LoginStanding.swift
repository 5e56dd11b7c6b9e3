import GraphQLRuntime

extension Graph {
  /// What is known of a login by its refreshes.
  package enum LoginStanding: Sendable, Comparable {
    /// There is a token.
    case good
    /// There is none for now, for a reason of the network or of a server that is busy.
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

  /// Tells of each new token.
  package final class Renewals: Sendable {
    private struct State {
      var count = 0
      var nextID = 0
      var observers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// How many tokens there were after the first.
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

  /// Keeps an observer of ``Renewals`` until it is let go of.
  package final class RenewalToken: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }
}

extension Graph.QueryError {
  /// Whether what failed before a request was made, such as getting its token, shows that the
  /// credentials are refused.
  package var refusesCredentials: Bool {
    switch self {
    case .request(error: nil): true
    case .request(let failure as Graph.Failure): failure.code == .unauthenticated
    case .other(let failure): failure.code == .unauthenticated
    // A server for tokens refuses with 400 as well (RFC 6749, 5.2).
    case .http(let status, _): [400, 401, 403].contains(status)
    case .invalidQuery(let reasons): reasons.contains { $0.code == "UNAUTHENTICATED" }
    default: false
    }
  }
}

extension Graph.Client {
  private var refreshers: [Graph.TokenRefresher] {
    pipeline.interceptors.compactMap { $0 as? Graph.TokenRefresher }
  }

  /// How the login of this client's requests stands; nil where none of its interceptors knows.
  package var loginStanding: Graph.LoginStanding? {
    get async {
      var worst: Graph.LoginStanding?
      for refresher in refreshers {
        let standing = await refresher.standing
        worst = max(worst ?? standing, standing)
      }
      return worst
    }
  }

  /// How many new tokens the client's interceptors have had.
  package var renewalCount: Int { refreshers.reduce(0) { $0 + $1.renewals.count } }

  /// Calls `body` whenever one of the client's interceptors has a new token, until the tokens that
  /// are returned are let go of.
  package func whenTokenIsRenewed(
    _ body: @escaping @Sendable () -> Void
  ) -> [Graph.RenewalToken] {
    refreshers.map { $0.renewals.add(body) }
  }
}
