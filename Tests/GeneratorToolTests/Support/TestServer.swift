import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A request as the test server has read it.
struct ServedRequest: Sendable {
  let path: String
  /// Names in lower case.
  let headers: [String: String]
  let body: String
}

/// A small HTTP server on the loopback interface, one connection at a time.
final class TestServer: Sendable {
  let port: Int
  private let socketHandle: Int32
  private let served = Mutex<[ServedRequest]>([])

  var url: String { "http://127.0.0.1:\(port)/graphql" }
  var requests: [ServedRequest] { served.withLock { $0 } }

  /// - Parameter answer: the whole response to a request; nil keeps the connection open in silence.
  init(answer: @escaping @Sendable (ServedRequest) -> String?) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let handle = socket(AF_INET, stream, 0)
    socketHandle = handle
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(handle, pointer, length) == 0 && listen(handle, 16) == 0
          && getsockname(handle, pointer, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in serve(answer) }
  }

  /// A client that has hung up is no reason for a signal.
  #if canImport(Darwin)
    private static let sendFlags = MSG_NOSIGNAL
  #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  func stop() { shutdown(socketHandle, Int32(SHUT_RDWR)) }

  private func serve(_ answer: (ServedRequest) -> String?) {
    while true {
      let connection = accept(socketHandle, nil, nil)
      guard connection >= 0 else { return }
      guard let request = Self.read(from: connection) else {
        close(connection)
        continue
      }
      served.withLock { $0.append(request) }
      guard let text = answer(request) else { continue }
      let bytes = Array(text.utf8)
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, Self.sendFlags)
        }
        if count <= 0 { break }
        sent += count
      }
      close(connection)
    }
  }

  private static func read(from connection: Int32) -> ServedRequest? {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer[..<count]
      let text = String(decoding: received, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      let body = String(text[end.upperBound...])
      guard body.utf8.count >= Int(headers["content-length"] ?? "") ?? 0 else { continue }
      return ServedRequest(
        path: String(lines[0].split(separator: " ")[1]), headers: headers, body: body)
    }
  }

  static func response(
    _ body: String, status: String = "200 OK", type: String = "application/json",
    headers: String = ""
  ) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\(headers)\r\n\(body)"
  }
}
