import Foundation
import GraphClient

/// How a case uses a transport.
package struct WireUse: Sendable, CustomStringConvertible {
  /// Whether the request may be retried.
  package let isQuery: Bool
  /// Whether the response is expected as a whole.
  package let isWhole: Bool

  package static let all = [
    WireUse(isQuery: true, isWhole: true), WireUse(isQuery: false, isWhole: true),
    WireUse(isQuery: true, isWhole: false), WireUse(isQuery: false, isWhole: false),
  ]

  package var description: String {
    "\(isQuery ? "query" : "mutation")\(isWhole ? "" : ", in pieces")"
  }

  /// The differences between the transport's outcome and the expected one; nil if there are none.
  package func failure(of wireCase: WireCase, on transport: any Graph.Transport) async throws
    -> String?
  {
    let server = try WireServer(wireCase)
    if wireCase.warmsUp {
      let warm = await outcome(of: request(wireCase, server, "warm"), wireCase, on: transport)
      guard .response(200) ~= warm.outcome else { return "the first request: \(warm)" }
      await server.proceed()
    }
    let body = String(repeating: "r", count: wireCase.limits.bodyCount)
    let found = await outcome(of: request(wireCase, server, body), wireCase, on: transport)
    let expected = isQuery ? wireCase.query : wireCase.mutation
    guard expected ~= found.outcome else { return "\(found) instead of \(expected)" }
    // The server may have carried out any request that it has received.
    if case .error(_, sent: false) = found.outcome, server.carriedOut.contains(body) {
      return "\(found), but the server has the whole request"
    }
    if let counts = wireCase.requestCounts {
      let count = isQuery ? counts.query : counts.mutation
      guard server.requestCount == count else {
        return "\(server.requestCount) requests instead of \(count)"
      }
    }
    guard wireCase.isFollowed else { return nil }
    // Nothing of it remains that could be taken for the response to another request.
    let next = await outcome(of: request(wireCase, server, "next"), wireCase, on: transport)
    return .response(200) ~= next.outcome ? nil : "the next request: \(next)"
  }

  private func request(
    _ wireCase: WireCase, _ server: WireServer, _ body: String
  ) -> Graph.HTTPRequest {
    var request = Graph.HTTPRequest(
      url: server.url, headers: ["Content-Type": "application/json"],
      body: .bytes(Array(body.utf8)),
      timeout: body.first == "r" ? wireCase.limits.total : .seconds(60))
    request.isIdempotent = isQuery || body == "next"
    if body.first == "r" {
      request.connectTimeout = wireCase.limits.connect
      request.idleTimeout = wireCase.limits.idle
    }
    if isWhole { request.wholeResponseLimit = wireCase.limits.responseBytes }
    return request
  }

  private func outcome(
    of request: Graph.HTTPRequest, _ wireCase: WireCase, on transport: any Graph.Transport
  ) async -> (outcome: WireCase.Outcome, message: String) {
    do {
      let response = try await transport.send(request)
      var bytes: [UInt8] = []
      for try await chunk in response.body {
        bytes += chunk
        guard bytes.count <= wireCase.limits.responseBytes else { return (.tooLarge, "") }
      }
      return (.response(response.status, String(decoding: bytes, as: UTF8.self)), "")
    } catch let error as Graph.TransportError {
      return (.error("\(error.code)", sent: error.bytesSent), error.message)
    } catch {
      return (.error("\(error)", sent: nil), "")
    }
  }
}

extension WireCase.Outcome {
  /// Whether an exchange had the expected outcome.
  package static func ~= (expected: WireCase.Outcome, found: WireCase.Outcome) -> Bool {
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
