import Foundation
import Loopback

/// Responds to every request with the same bytes, with no more work than finding the end of a
/// request.
struct ConstantServer {
  private let listener: LoopbackListener

  /// - Parameter body: the body of every response, as a GraphQL response.
  init(body: [UInt8]) throws {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/graphql-response+json\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    let response = Array(head.utf8) + body
    listener = try LoopbackListener { connection in
      while let length = connection.readHead(), connection.read(length) != nil {
        guard connection.write(response) else { return }
      }
    }
  }

  var url: URL { listener.url() }
}

extension LoopbackConnection {
  /// The length of the body that follows the head of a request; nil at the end.
  fileprivate func readHead() -> Int? {
    guard let head = read(through: Array("\r\n\r\n".utf8)) else { return nil }
    let name = Array("Content-Length: ".utf8)
    let start = head.indices.first { head[$0] == name[0] && head[$0...].starts(with: name) }
    guard let start else { return 0 }
    return head[(start + name.count)...].prefix { (0x30...0x39).contains($0) }
      .reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
