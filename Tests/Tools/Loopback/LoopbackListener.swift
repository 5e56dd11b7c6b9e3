import Foundation

/// Listens at a free loopback port, and serves each connection on a separate thread.
package final class LoopbackListener: Sendable {
  package let port: UInt16
  private let descriptor: Int32
  /// Closing it wakes the thread that waits for connections.
  private let waker: Int32

  /// - Parameters:
  ///   - path: listens at a Unix domain socket of that path instead of a port.
  ///   - serve: the connection is closed when it returns.
  package init(
    path: String? = nil, serve: @escaping @Sendable (LoopbackConnection) -> Void
  ) throws {
    (descriptor, port) = try path.map { (try boundSocket(path: $0), 0) } ?? boundSocket()
    guard listen(descriptor, 128) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    waker = ends[1]
    _ = fcntl(waker, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let (descriptor, wake) = (self.descriptor, ends[0])
    _ = fcntl(wake, F_SETFD, FD_CLOEXEC)
    Thread.detachNewThread {
      while waitForConnection(descriptor, wake) {
        let connected = accept(descriptor, nil, nil)
        if connected < 0, [EAGAIN, EINTR, ECONNABORTED].contains(errno) { continue }
        guard connected >= 0 else { break }
        // On Apple platforms, it does not block either.
        _ = fcntl(connected, F_SETFL, 0)
        let connection = LoopbackConnection(connected)
        Thread.detachNewThread {
          serve(connection)
          connection.close()
        }
      }
      // Only here. If it were closed while this thread is about to call `accept`, that call would
      // take the connections of the next owner of the number.
      close(descriptor)
      close(wake)
    }
  }

  deinit {
    // On Linux, no connection is accepted from now on. On Apple platforms, it has no effect.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(waker)
  }

  package func url(_ path: String = "/graphql") -> URL { loopback(port, path) }
}

/// - Returns: false when the other end of `wake` has been closed.
private func waitForConnection(_ listener: Int32, _ wake: Int32) -> Bool {
  while true {
    var polled = [
      pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, 2, -1) >= 0 || errno == EINTR else { return false }
    if polled[1].revents != 0 { return false }
    if polled[0].revents & Int16(POLLIN) != 0 { return true }
    // It has been shut down.
    if polled[0].revents != 0 { return false }
  }
}

/// A loopback port at which nothing listens, and which nothing else gets while this exists.
package final class ClosedPort: Sendable {
  package let url: URL
  private let descriptor: Int32

  package init() throws {
    let (descriptor, port) = try boundSocket()
    self.descriptor = descriptor
    url = loopback(port, "/graphql")
  }

  deinit { close(descriptor) }
}

private func loopback(_ port: UInt16, _ path: String) -> URL {
  guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
    preconditionFailure("\(path) is not a path of a URL")
  }
  return url
}

private func makeSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}

private func loopbackAddress(_ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  return address
}

/// A socket that is connected to a loopback port.
func connectedSocket(_ port: UInt16) throws -> Int32 {
  let descriptor = makeSocket()
  var address = loopbackAddress(port)
  let isConnected = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
  guard isConnected else {
    let code = POSIXErrorCode(rawValue: errno) ?? .EIO
    close(descriptor)
    throw POSIXError(code)
  }
  return descriptor
}

/// A socket at a free loopback port, and the port.
private func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = makeSocket()
  var address = loopbackAddress(0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
    }
  }
  guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// A Unix domain socket at `path`.
private func boundSocket(path: String) throws -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let capacity = MemoryLayout.size(ofValue: address.sun_path)
  guard path.utf8.count < capacity else { throw POSIXError(.ENAMETOOLONG) }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let isBound = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
  guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  return descriptor
}

/// A loopback port that accepts no more connections, as if the network lost all bytes sent to it.
package final class FullListener: Sendable {
  package let url: URL
  private let descriptors: [Int32]

  /// - Parameter first: serves the first connection, after which no other is accepted. Without it,
  ///   no connection is accepted.
  package init(first: (@Sendable (LoopbackConnection) -> Void)? = nil) throws {
    let (listener, port) = try boundSocket()
    guard listen(listener, 0) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    url = loopback(port, "/graphql")
    guard let first else {
      descriptors = [listener] + Self.fill(port)
      return
    }
    descriptors = [listener]
    Thread.detachNewThread {
      let connection = LoopbackConnection(accept(listener, nil, nil))
      let pending = Self.fill(port)
      first(connection)
      connection.close()
      withExtendedLifetime(pending) {}
    }
  }

  /// More connections than the queue has places; none of them is ever accepted.
  private static func fill(_ port: UInt16) -> [Int32] {
    (0..<8).map { _ in pendingConnection(to: port) }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}

/// A socket that is being connected.
private func pendingConnection(to port: UInt16) -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      _ = connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  return descriptor
}
