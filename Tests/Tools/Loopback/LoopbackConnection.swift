import Foundation
import GraphQLRuntime

/// The server's side of a connection, with blocking reads and writes. One thread reads.
package final class LoopbackConnection: Sendable {
  private struct State {
    var isOpen = true
    /// Bytes that have arrived and were not read.
    var pending: ArraySlice<UInt8> = []
  }

  private let descriptor: Int32
  private let state = Locked(State())

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    #if !canImport(Glibc)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
    #endif
  }

  /// The client's side of a connection to a port.
  package convenience init(to port: UInt16) throws {
    self.init(try connectedSocket(port))
  }

  /// - Returns: false if the other side has closed.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
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
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Blocks until the other side closes.
  package func waitForClose() { while receive() != nil {} }

  /// Closes with a reset instead of a regular end.
  package func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Ends the server's direction regularly; the other side may still send.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  package func close() {
    state.withLock { state in
      if state.isOpen { _ = Foundation.close(descriptor) }
      state.isOpen = false
    }
  }

  /// The bytes that have arrived, or arrive next; nil at the end.
  package func read() -> [UInt8]? {
    let pending = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    return pending.isEmpty ? receive().map { Array($0) } : Array(pending)
  }

  /// That many bytes; nil if there are fewer before the end.
  package func read(_ count: Int) -> [UInt8]? {
    var bytes = state.withLock { $0.pending }
    while bytes.count < count {
      guard let more = receive() else { return nil }
      bytes += more
    }
    state.withLock { $0.pending = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// The bytes up to and including `end`; nil if it does not arrive.
  package func read(through end: [UInt8]) -> [UInt8]? {
    var bytes = state.withLock { $0.pending }
    var searched = bytes.startIndex
    while true {
      while searched + end.count <= bytes.endIndex {
        if bytes[searched] == end[0], bytes[searched...].starts(with: end) {
          state.withLock { $0.pending = bytes[(searched + end.count)...] }
          return Array(bytes[..<(searched + end.count)])
        }
        searched += 1
      }
      guard let more = receive() else { return nil }
      bytes += more
    }
  }

  /// The bytes that arrive next; nil at the end.
  private func receive() -> ArraySlice<UInt8>? {
    guard state.withLock({ $0.isOpen }) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(recv(descriptor, buffer.baseAddress, buffer.count, 0), 0)
    }
    return bytes.isEmpty ? nil : bytes[...]
  }
}
