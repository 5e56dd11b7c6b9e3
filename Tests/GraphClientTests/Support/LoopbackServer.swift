import Foundation
import GraphQLRuntime

@testable import GraphClient

/// An HTTP/1.1 server on a free loopback port, a thread per connection: enough to answer, and to
/// misbehave, as a test scripts it.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    let method: String
    let target: String
    let headers: [String: String]
    let body: [UInt8]
  }

  let port: UInt16
  private let listener: Int32
  private let log = Log()

  private final class Log: Sendable {
    let requests = Locked<[Request]>([])
  }

  /// - Parameters:
  ///   - records: whether ``requests`` keeps what came.
  ///   - answer: writes the answer; when it returns the connection stays open for the next
  ///   request unless it was closed.
  init(
    records: Bool = true, answer: @escaping @Sendable (Request, Connection) -> Void
  ) throws {
    (listener, port) = try boundSocket()
    guard listen(listener, 128) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let listener = self.listener
    Thread { [log] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
          // Only here: were it closed while this thread is on its way to `accept`, it would take the
          // connections of whoever got the number next.
          _ = Foundation.close(listener)
          return
        }
        let connection = Connection(descriptor)
        Thread {
          while let request = connection.readRequest() {
            if records { log.requests.withLock { $0.append(request) } }
            answer(request, connection)
          }
          connection.close()
        }.start()
      }
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  var requests: [Request] { log.requests.withLock { $0 } }

  func url(_ path: String = "/graphql") -> URL {
    // Each component is a constant or a number.
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }
}

/// A loopback port at which nobody listens, and which nobody else gets while this exists.
final class ClosedPort: Sendable {
  let url: URL
  private let descriptor: Int32

  init() throws {
    let (descriptor, port) = try boundSocket()
    self.descriptor = descriptor
    url = URL(string: "http://127.0.0.1:\(port)/graphql")!
  }

  deinit { close(descriptor) }
}

/// A socket at a free loopback port, and the port.
private func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
    }
  }
  guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

extension LoopbackServer {
  final class Connection: Sendable {
    private let descriptor: Int32
    private let isOpen = Locked(true)

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      #if !canImport(Glibc)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      #endif
    }

    /// - Returns: false when the other side is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      var rest = bytes[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        guard sent > 0 else { return false }
        rest = rest.dropFirst(sent)
      }
      return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    func answer(
      _ status: String = "200 OK", _ headers: [String] = [], body: String = ""
    ) {
      let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
      write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Blocks until the other side closes.
    func waitForClose() {
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) > 0 {}
    }

    /// Closes with a reset in place of an orderly end.
    func reset() {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      close()
    }

    func close() {
      isOpen.withLock { isOpen in
        if isOpen { _ = Foundation.close(descriptor) }
        isOpen = false
      }
    }

    func readRequest() -> Request? {
      var bytes: [UInt8] = []
      let end = Array("\r\n\r\n".utf8)
      while !bytes.hasSuffix(end) {
        guard let byte = read(1) else { return nil }
        bytes += byte
      }
      let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
      let words = lines[0].split(separator: " ")
      guard words.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        headers[line[..<colon].lowercased()] =
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
      guard let body = readBody(headers) else { return nil }
      return Request(
        method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }

    private func readBody(_ headers: [String: String]) -> [UInt8]? {
      let length = headers["content-length"].flatMap(Int.init) ?? 0
      return length == 0 ? [] : read(length)
    }

    func read(_ count: Int) -> [UInt8]? {
      guard isOpen.withLock({ $0 }) else { return nil }
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let received = bytes.withUnsafeMutableBytes {
          recv(descriptor, $0.baseAddress! + filled, count - filled, 0)
        }
        guard received > 0 else { return nil }
        filled += received
      }
      return bytes
    }
  }
}

extension [UInt8] {
  func hasSuffix(_ suffix: [UInt8]) -> Bool {
    count >= suffix.count && self[(count - suffix.count)...] == suffix[...]
  }
}

extension Graph.HTTPResponse.Body {
  /// Everything, as text.
  func text() async throws -> String {
    var bytes: [UInt8] = []
    for try await chunk in self { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }
}
