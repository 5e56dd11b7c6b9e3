import Foundation
import GraphQLRuntime
import Testing

/// A port of the loopback interface that no process listens on at the moment. A server may begin to listen on it again
/// later: systems give ports of this range to no connections of their own.
func freePort() throws -> Int {
  while true {
    let port = Int.random(in: 20_000..<32_000)
    let isNew = usedPorts.withLock { $0.insert(port).inserted }
    if isNew, isFree(port) { return port }
    try #require(usedPorts.withLock { $0.count } < 10_000)
  }
}

private let usedPorts = Locked<Set<Int>>([])

private func isFree(_ port: Int) -> Bool {
  let descriptor = newSocket()
  defer { close(descriptor) }
  return withLoopbackAddress(port) { bind(descriptor, $0, $1) } == 0
}

/// Calls a function with the address of a port of the loopback interface, and its size.
func withLoopbackAddress(
  _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// A socket of TCP over IPv4, which is not connected.
func newSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}
