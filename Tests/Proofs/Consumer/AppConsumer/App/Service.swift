import BooksAPI
import Foundation
import GraphClient
import GraphQLRuntime

/// In place of a server: a response for each operation, by its name.
struct Service: Graph.Transport {
  let responses: [String: String]

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    guard case .bytes(let bytes) = request.body else {
      throw Graph.TransportError(.cannotConnect, message: "no body")
    }
    let operation = String(decoding: bytes, as: UTF8.self)
    let text = responses.first { operation.contains(" \($0.key)") }?.value
    let body = Array((text ?? #"{"errors":[{"message":"unknown"}]}"#).utf8)
    return Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url,
      body: .init(body))
  }
}

/// Adds a header field to each attempt.
struct Token: Graph.Interceptor {
  func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    var request = request
    request.headers["Authorization"] = "Bearer token"
    return try await next(request)
  }
}
