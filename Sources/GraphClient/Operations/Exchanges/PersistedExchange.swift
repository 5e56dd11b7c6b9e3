import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Sends operations by the hash of their document if the server supports it.
  final class PersistedExchange: Sendable {
    private let exchange: HTTPExchange
    private let settings: PersistedQueries
    /// Cleared permanently when the server reports that it does not support them.
    private let isSupported = Locked(true)

    init(_ exchange: HTTPExchange, settings: PersistedQueries) {
      self.exchange = exchange
      self.settings = settings
    }

    func response(to request: OperationRequest) async throws -> OperationResponse {
      guard settings.mode != .off, request.uploads.isEmpty, request.kind != .subscription,
        isSupported.withLock({ $0 })
      else { return try await exchange.response(to: request) }
      if request.documentID != nil {
        return try await exchange.response(to: request, http: httpRequest(request))
      }
      let hashed = request.withHash()
      let outcome: Result<OperationResponse, any Error>
      do {
        outcome = .success(try await exchange.response(to: hashed, http: httpRequest(hashed)))
      } catch {
        outcome = .failure(error)
      }
      switch Outcome(outcome) {
      case .known: return try outcome.get()
      case .notFound: return try await exchange.response(to: hashed)
      case .notSupported:
        isSupported.withLock { $0 = false }
        return try await exchange.response(to: request)
      }
    }

    private func httpRequest(_ request: OperationRequest) throws -> HTTPRequest {
      let post = exchange.httpRequest(request, body: .bytes(request.body(document: false)))
      guard case .get(let limit) = settings.mode, request.kind == .query,
        let url = exchange.endpoint.appending(request), url.absoluteString.utf8.count <= limit
      else { return post }
      var get = post
      get.method = .get
      get.url = url
      get.body = .none
      get.headers["Content-Type"] = nil
      get.headers.requirePreflight(of: request.name)
      return get
    }

    private enum Outcome {
      case known, notFound, notSupported

      init(_ outcome: Result<OperationResponse, any Error>) {
        let errors: [GraphQL.ResponseError]
        switch outcome {
        case .success(let response): errors = response.data == nil ? response.errors : []
        case .failure(let error): errors = (error as? QueryError)?.errors ?? []
        }
        self =
          if errors.contains(where: {
            $0.hasMessage("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
          }) {
            .notFound
          } else if errors.contains(where: {
            $0.hasMessage("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")
          }) {
            .notSupported
          } else {
            .known
          }
      }
    }
  }
}

extension GraphQL.ResponseError {
  fileprivate func hasMessage(_ message: String, _ code: String) -> Bool {
    self.message == message || self.code == code
  }
}

extension Graph.OperationRequest {
  fileprivate func withHash() -> Graph.OperationRequest {
    var request = self
    request.extensions["persistedQuery"] = [
      "version": 1, "sha256Hash": .string(hash),
    ]
    return request
  }
}

extension URL {
  /// The address of a GET (GraphQL over HTTP, GET).
  fileprivate func appending(_ request: Graph.OperationRequest) -> URL? {
    var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
    var extensions = JSONWriter()
    extensions.value(.object(request.extensions))
    var items: [URLQueryItem] = []
    if let documentID = request.documentID, let member = documentID.member {
      items.append(URLQueryItem(name: member, value: documentID.id))
    }
    if !request.extensions.isEmpty {
      items.append(
        URLQueryItem(
          name: "extensions", value: String(decoding: extensions.finish(), as: UTF8.self)))
    }
    if let name = request.name { items.append(URLQueryItem(name: "operationName", value: name)) }
    if request.hasVariables {
      items.append(
        URLQueryItem(name: "variables", value: String(decoding: request.variables, as: UTF8.self)))
    }
    let query = items.map { item in
      "\(item.name)=\(item.value?.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "")"
    }
    let existing = components?.percentEncodedQuery.map { [$0] } ?? []
    components?.percentEncodedQuery = (existing + query).joined(separator: "&")
    return components?.url
  }
}

extension CharacterSet {
  /// RFC 3986, section 2.3. Many servers treat `+` as a space.
  fileprivate static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
