import Foundation
import GraphClient
import GraphQLRuntime

extension Graph {
  /// A few connections to a Valkey or Redis server, over hiredis. All are to the same server.
  ///
  /// Nothing is opened before the first command. Many commands are in progress on one connection at the same time. A
  /// command takes no longer than ``ValkeyConfiguration/timeout``. While the server cannot be reached, commands fail
  /// without a wait, and connections are opened one at a time, at growing intervals.
  ///
  /// ```swift
  /// let valkey = try Graph.Valkey(.init(.host("cache.internal"), namespace: "shop"))
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.storage = Graph.ValkeyStorage(valkey)
  /// ```
  public final class Valkey: Sendable {
    /// The settings with which it was created.
    public let configuration: ValkeyConfiguration
    let library: HiredisLibrary
    private let breaker: ValkeyBreaker
    private let links: [ValkeyLink]
    private let next = Locked(0)
    let loop: ValkeyLoop
    let subscriptions: ValkeySubscriptions

    /// Connections that are opened when they are needed.
    ///
    /// - Throws: `unsupported` if this machine has no hiredis, or if the configuration requires TLS and there is no
    ///   OpenSSL; `invalidConfiguration` for files of certificates that cannot be used.
    public convenience init(_ configuration: ValkeyConfiguration) throws(ValkeyError) {
      guard let library = HiredisLibrary.installed else { throw .hiredisIsMissing }
      try self.init(configuration, library)
    }

    init(_ configuration: ValkeyConfiguration, _ library: HiredisLibrary) throws(ValkeyError) {
      precondition(!configuration.namespace.isEmpty, "the namespace must not be empty")
      try configuration.checkTLS()
      self.configuration = configuration
      self.library = library
      let breaker = ValkeyBreaker(configuration.backoff)
      self.breaker = breaker
      links = (0..<max(1, configuration.connections)).map { _ in
        ValkeyLink(library, configuration, breaker, .commands(configuration))
      }
      subscriptions = ValkeySubscriptions(library, configuration)
      loop = try ValkeyLoop(links + [subscriptions.link], tick: configuration.timeout)
      subscriptions.start(loop)
    }

    deinit { loop.stop() }

    /// Whether this machine has hiredis.
    public static var isSupported: Bool { HiredisLibrary.installed != nil }

    /// Whether a connection is open.
    public var isConnected: Bool { breaker.readyCount > 0 }

    /// Waits for a response of the server.
    public func ping() async throws(ValkeyError) {
      _ = try await send(ValkeyCommands("PING"))
    }

    /// Sends commands in one write.
    ///
    /// - Returns: a value for each; errors of the server are values.
    func send(
      _ commands: ValkeyCommands, timeout: Duration? = nil
    ) async throws(ValkeyError) -> [ValkeyValue] {
      if Task.isCancelled { throw ValkeyError(.cancelled, message: "the task was cancelled") }
      if let refusal = breaker.refusal { throw refusal }
      let deadline = ValkeyClock.now + (timeout ?? configuration.timeout).nanoseconds
      let call = ValkeyCall(commands, deadline: deadline)
      try submit(call)
      return try await call.values()
    }

    private func submit(_ call: ValkeyCall) throws(ValkeyError) {
      let first = next.withLock { next in
        next = (next + 1) % links.count
        return next
      }
      for offset in links.indices {
        let link = links[(first + offset) % links.count]
        if try isAccepted(call, by: link, waits: false) { return }
      }
      // The first commands open all connections, and wait for the first that is ready.
      links.forEach { $0.want() }
      guard try isAccepted(call, by: links[0], waits: true) else { throw .noConnection }
    }

    private func isAccepted(
      _ call: ValkeyCall, by link: ValkeyLink, waits: Bool
    ) throws(ValkeyError) -> Bool {
      switch link.send(call, waits: waits) {
      case .sent: loop.wake(before: call.deadline)
      case .needsLoop: loop.wake()
      case .full: throw ValkeyError(.overloaded, message: "too many commands are in progress")
      case .notReady: return false
      }
      return true
    }
  }
}

extension Graph.Valkey: CustomStringConvertible, CustomReflectable {
  /// The addresses and the namespace.
  public var description: String {
    "Graph.Valkey(\(configuration.topology), \(configuration.namespace))"
  }

  public var customMirror: Mirror { Mirror(self, children: ["valkey": description]) }
}
