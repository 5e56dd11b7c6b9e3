import Foundation
import Loopback

/// A request as the test server read it.
struct ServedRequest: Sendable {
  let path: String
  /// Names in lower case.
  let headers: [String: String]
  let body: String

  fileprivate init(_ request: LoopbackServer.Request) {
    path = request.target
    headers = request.headers
    body = String(decoding: request.body, as: UTF8.self)
  }
}

/// A server that closes each connection after its response.
final class TestServer: Sendable {
  private let server: LoopbackServer

  /// - Parameter response: the whole response to a request; nil keeps the connection open without
  ///   sending anything.
  init(response: @escaping @Sendable (ServedRequest) -> String?) throws {
    server = try LoopbackServer { request, connection in
      guard let text = response(ServedRequest(request)) else { return connection.waitForClose() }
      connection.write(text)
      connection.close()
    }
  }

  var url: String { server.url().absoluteString }
  var requests: [ServedRequest] { server.requests.map(ServedRequest.init) }

  static func response(
    _ body: String, status: String = "200 OK", type: String = "application/json",
    headers: String = ""
  ) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\(headers)\r\n\(body)"
  }
}
