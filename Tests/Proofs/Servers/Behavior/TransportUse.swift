import Foundation
import GraphClient

/// How a case uses a transport.
package struct TransportUse: Sendable, CustomStringConvertible {
  /// Whether the request may be retried.
  package let isQuery: Bool
  /// Whether the response is expected as a whole.
  package let isWhole: Bool

  package static let all = [
    TransportUse(isQuery: true, isWhole: true), TransportUse(isQuery: false, isWhole: true),
    TransportUse(isQuery: true, isWhole: false), TransportUse(isQuery: false, isWhole: false),
  ]

  package var description: String {
    "\(isQuery ? "query" : "mutation")\(isWhole ? "" : ", in pieces")"
  }

  /// The differences between the transport's outcome and the expected one; nil if there are none.
  package func failure(of serverCase: ServerCase, on transport: any Graph.Transport) async throws
    -> String?
  {
    let server = try ScriptedServer(serverCase)
    if serverCase.warmsUp {
      let warm = await outcome(of: request(serverCase, server, "warm"), serverCase, on: transport)
      guard .response(200) ~= warm.outcome else { return "the first request: \(warm)" }
      await server.proceed()
    }
    let body = String(repeating: "r", count: serverCase.limits.bodyCount)
    let found = await outcome(of: request(serverCase, server, body), serverCase, on: transport)
    let expected = isQuery ? serverCase.query : serverCase.mutation
    guard expected ~= found.outcome else { return "\(found) instead of \(expected)" }
    // The server may have carried out any request that it has received.
    if case .error(_, sent: false) = found.outcome, server.carriedOut.contains(body) {
      return "\(found), but the server has the whole request"
    }
    if let counts = serverCase.requestCounts {
      let count = isQuery ? counts.query : counts.mutation
      guard server.requestCount == count else {
        return "\(server.requestCount) requests instead of \(count)"
      }
    }
    guard serverCase.isFollowed else { return nil }
    // Nothing of it remains that could be taken for the response to another request.
    let next = await outcome(of: request(serverCase, server, "next"), serverCase, on: transport)
    return .response(200) ~= next.outcome ? nil : "the next request: \(next)"
  }

  private func request(
    _ serverCase: ServerCase, _ server: ScriptedServer, _ body: String
  ) -> Graph.HTTPRequest {
    var request = Graph.HTTPRequest(
      url: server.url, headers: ["Content-Type": "application/json"],
      body: .bytes(Array(body.utf8)),
      timeout: body.first == "r" ? serverCase.limits.total : .seconds(60))
    request.isIdempotent = isQuery || body == "next"
    if body.first == "r" {
      request.connectTimeout = serverCase.limits.connect
      request.idleTimeout = serverCase.limits.idle
    }
    if isWhole { request.wholeResponseLimit = serverCase.limits.responseBytes }
    return request
  }

  private func outcome(
    of request: Graph.HTTPRequest, _ serverCase: ServerCase, on transport: any Graph.Transport
  ) async -> (outcome: ServerCase.Outcome, message: String) {
    do {
      let response = try await transport.send(request)
      var bytes: [UInt8] = []
      for try await chunk in response.body {
        bytes += chunk
        guard bytes.count <= serverCase.limits.responseBytes else { return (.tooLarge, "") }
      }
      return (.response(response.status, String(decoding: bytes, as: UTF8.self)), "")
    } catch let error as Graph.TransportError {
      return (.error("\(error.code)", sent: error.bytesSent), error.message)
    } catch {
      return (.error("\(error)", sent: nil), "")
    }
  }
}

extension ServerCase.Outcome {
  /// Whether an exchange had the expected outcome.
  package static func ~= (expected: ServerCase.Outcome, found: ServerCase.Outcome) -> Bool {
    switch (expected, found) {
    case (.either(let one, let other), _): one ~= found || other ~= found
    case (.response(let status, let body), .response(let foundStatus, let foundBody)):
      status == foundStatus && body == foundBody
    case (.error(let code, let sent), .error(let foundCode, let foundSent)):
      code == foundCode && (sent == nil || sent == foundSent)
    default: false
    }
  }
}
