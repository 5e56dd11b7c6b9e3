import Foundation

/// Answers every request on a loopback port with the same bytes, a thread per connection, with no
/// more work than it takes to find where a request ends, until the program ends.
enum LoopbackServer {
  /// - Parameter body: what every answer carries, as a GraphQL response.
  /// - Returns: the address to ask.
  static func start(body: [UInt8]) throws -> URL {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/graphql-response+json\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    let answer = Array(head.utf8) + body
    Thread.detachNewThread {
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { serve(connection, answer) }
      }
    }
    return url
  }

  private static func serve(_ connection: Int32, _ answer: [UInt8]) {
    defer { close(connection) }
    var on: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var pending: [UInt8] = []
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      pending += buffer[..<count]
      while let end = requestEnd(pending) {
        pending.removeFirst(end)
        guard send(connection, answer, answer.count, noSignal) == answer.count else { return }
      }
    }
  }

  /// Where the first request ends, nil until all of it is there.
  private static func requestEnd(_ bytes: [UInt8]) -> Int? {
    guard let head = end(of: "\r\n\r\n", in: bytes) else { return nil }
    var length = 0
    if let start = end(of: "Content-Length: ", in: bytes[..<head]) {
      for byte in bytes[start...].prefix(while: { (0x30...0x39).contains($0) }) {
        length = length * 10 + Int(byte - 0x30)
      }
    }
    return bytes.count >= head + length ? head + length : nil
  }

  private static func end(of text: StaticString, in bytes: some Collection<UInt8>) -> Int? {
    bytes.withContiguousStorageIfAvailable { bytes in
      let count = text.utf8CodeUnitCount
      var index = 0
      while index + count <= bytes.count {
        if memcmp(bytes.baseAddress! + index, text.utf8Start, count) == 0 { return index + count }
        index += 1
      }
      return nil
    } ?? nil
  }

  #if canImport(Glibc)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let noSignal: Int32 = 0
  #endif
}
