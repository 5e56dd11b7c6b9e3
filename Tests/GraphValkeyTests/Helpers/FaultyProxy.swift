import Foundation
import GraphQLRuntime
import Testing

/// Passes bytes between the connections to its port and a server, and makes the faults of networks, for open
/// connections and for new ones.
final class FaultyProxy: Sendable {
  enum Fault: Sendable, CaseIterable {
    case none
    /// A partition: nothing arrives, not even the end of a connection, until it is over. Then everything arrives, as TCP
    /// repeats what was lost.
    case holdsAll
    /// The server gets commands, and its values do not arrive until the end.
    case holdsValues
    /// The server gets nothing until the end; what it sends arrives.
    case holdsCommands
    /// Bytes arrive half a second late.
    case delays
    /// Values arrive in pieces of 1,000 bytes, with pauses of at least 10 ms between them.
    case trickles
    /// Connections are closed in order.
    case closes
    /// Connections are closed with a reset.
    case resets
  }

  private enum Direction: Sendable { case commands, values }

  private struct Pair {
    let client: Int32
    let server: Int32
    /// The directions that have not ended.
    var openCount = 2
  }

  private struct State {
    var fault = Fault.none
    var pairs: [Int: Pair] = [:]
    var lastID = 0
    var isStopped = false
  }

  let port: Int
  private let server: Int
  private let listener: Int32
  private let state = Locked(State())

  init(to server: Int) throws {
    self.server = server
    port = try freePort()
    listener = newSocket()
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    try #require(
      withLoopbackAddress(port) { bind(listener, $0, $1) } == 0 && listen(listener, 100) == 0)
    let thread = Thread { [listener, weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let self, self.serve(client) else {
          close(client)
          return
        }
      }
    }
    thread.start()
  }

  deinit {
    state.withLock { state in
      state.isStopped = true
      for pair in state.pairs.values { Self.end(pair) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var fault: Fault { state.withLock { $0.fault } }

  func set(_ fault: Fault) {
    state.withLock { state in
      state.fault = fault
      for pair in state.pairs.values {
        switch fault {
        case .closes: Self.end(pair)
        case .resets: Self.reset(pair)
        case .none, .holdsAll, .holdsValues, .holdsCommands, .delays, .trickles: break
        }
      }
    }
  }

  /// Sends bytes to the clients that the server has not sent.
  func insert(_ text: String) {
    let bytes = Array(text.utf8)
    state.withLock { state in
      for pair in state.pairs.values {
        _ = send(pair.client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// - Returns: false when the proxy has been stopped.
  private func serve(_ client: Int32) -> Bool {
    let server = newSocket()
    // Bytes arrive at once, even if the other side has not confirmed those before them.
    var yes: Int32 = 1
    for descriptor in [client, server] {
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    let isConnected = withLoopbackAddress(self.server) { connect(server, $0, $1) } == 0
    let id = state.withLock { state -> Int? in
      let pair = Pair(client: client, server: server)
      guard !state.isStopped, isConnected, state.fault != .closes, state.fault != .resets else {
        if state.fault == .resets { Self.reset(pair) }
        close(client)
        close(server)
        return nil
      }
      state.lastID += 1
      state.pairs[state.lastID] = pair
      return state.lastID
    }
    guard let id else { return true }
    for direction in [Direction.commands, .values] {
      Thread { [state] in Self.pass(direction, of: id, client, server, state) }.start()
    }
    return true
  }

  private static func pass(
    _ direction: Direction, of id: Int, _ client: Int32, _ server: Int32, _ state: Locked<State>
  ) {
    let (source, target) = direction == .commands ? (client, server) : (server, client)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count > 0 else { break }
      if state.withLock({ $0.fault == .delays }) { Thread.sleep(forTimeInterval: 0.5) }
      wait(direction, state)
      var offset = 0
      while offset < count {
        let trickles = direction == .values && state.withLock { $0.fault == .trickles }
        if trickles { Thread.sleep(forTimeInterval: 0.01) }
        let sent = buffer[offset..<(trickles ? min(count, offset + 1000) : count)].withUnsafeBytes {
          send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { break }
        offset += sent
      }
      guard offset == count else { break }
    }
    wait(direction, state)
    state.withLock { state in
      guard let pair = state.pairs[id] else { return }
      end(pair)
      state.pairs[id]?.openCount -= 1
      guard state.pairs[id]?.openCount == 0 else { return }
      state.pairs[id] = nil
      close(pair.client)
      close(pair.server)
    }
  }

  /// Returns when nothing holds bytes of the direction.
  private static func wait(_ direction: Direction, _ state: Locked<State>) {
    func isHeld(_ state: State) -> Bool {
      switch state.fault {
      case .holdsAll: !state.isStopped
      case .holdsValues: direction == .values && !state.isStopped
      case .holdsCommands: direction == .commands && !state.isStopped
      case .none, .delays, .trickles, .closes, .resets: false
      }
    }
    while state.withLock({ isHeld($0) }) { Thread.sleep(forTimeInterval: 0.002) }
  }

  private static func end(_ pair: Pair) {
    for descriptor in [pair.client, pair.server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// A socket that is closed without a linger sends a reset.
  private static func reset(_ pair: Pair) {
    var none = linger(l_onoff: 1, l_linger: 0)
    for descriptor in [pair.client, pair.server] {
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
      // Disconnecting a connected socket aborts the connection, without freeing its number.
      var address = sockaddr()
      address.sa_family = sa_family_t(AF_UNSPEC)
      connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
  }
}
