import GraphQLRuntime

extension Graph {
  /// Sends a token with each request and gets a fresh one when the server refuses it: status 401,
  /// or an error with the code `UNAUTHENTICATED`.
  ///
  /// However many requests are refused at once, the token is refreshed once, and each is sent again
  /// once. A mutation is sent again only where it was refused as a whole.
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
    private var refreshing: Task<String, any Error>?

    /// - Parameters:
    ///   - header: the field that carries the token.
    ///   - scheme: what stands before it; empty for fields that hold nothing else.
    ///   - token: the token to begin with; without one the first request gets one.
    ///   - refresh: makes a new token. Status 400, 401 or 403, the code `UNAUTHENTICATED` or a
    ///     ``Failure`` with ``Failure/Code/unauthenticated`` says that the login is at its end; any
    ///     other error, that there is no token for now.
    public init(
      header: String = "Authorization", scheme: String = "Bearer", token: String? = nil,
      refresh: @escaping @Sendable () async throws -> String
    ) {
      self.header = header
      self.scheme = scheme
      self.token = token
      self.refresh = refresh
    }

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
      guard let token = try? await freshToken(after: sent) else { throw refusal }
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

    /// A token other than the one that was `sent`. Who comes while one is on its way waits for it.
    private func freshToken(after sent: String?) async throws -> String {
      if let token, value(token) != sent { return token }
      if let refreshing { return try await refreshing.value }
      let task = Task { [refresh] in try await refresh() }
      refreshing = task
      defer { refreshing = nil }
      let result = await task.result
      standing = LoginStanding(after: result)
      let fresh = try result.get()
      token = fresh
      return fresh
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
