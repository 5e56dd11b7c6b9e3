import Foundation
import GraphQLRuntime

/// An HTTP/1.1 server on a free loopback port. It can respond, and misbehave, as a test requires.
package final class LoopbackServer: Sendable {
  package struct Request: Sendable {
    package let method: String
    package let target: String
    /// By names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
  }

  private let listener: LoopbackListener
  private let log: Locked<[Request]>

  /// - Parameters:
  ///   - records: whether ``requests`` keeps the received requests.
  ///   - response: writes the response. When it returns, the connection stays open for the next
  ///     request unless it was closed.
  package init(
    records: Bool = true, response: @escaping @Sendable (Request, LoopbackConnection) -> Void
  ) throws {
    let log = Locked<[Request]>([])
    self.log = log
    listener = try LoopbackListener { connection in
      while let request = connection.readRequest() {
        if records { log.withLock { $0.append(request) } }
        response(request, connection)
      }
    }
  }

  package var requests: [Request] { log.withLock { $0 } }

  package func url(_ path: String = "/graphql") -> URL { listener.url(path) }
}

extension LoopbackConnection {
  package func response(
    _ status: String = "200 OK", _ headers: [String] = [], body: String = ""
  ) {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
    write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  fileprivate func readRequest() -> LoopbackServer.Request? {
    guard let head = read(through: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    guard let body = read(headers["content-length"].flatMap { Int($0) } ?? 0) else { return nil }
    return LoopbackServer.Request(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }
}
