import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

/// The connections to one server, with the keys that are on it. A ``Graph/Valkey`` has one shard, or several with a
/// cluster.
final class ValkeyShard: Sendable {
  let configuration: Graph.ValkeyConfiguration
  let keys: ValkeyKeys
  let library: HiredisLibrary
  private let breaker: ValkeyBreaker
  let links: [ValkeyLink]
  private let next = Locked(0)
  let loop: ValkeyLoop
  let subscriptions: ValkeySubscriptions

  init(
    _ configuration: Graph.ValkeyConfiguration, _ library: HiredisLibrary, _ keys: ValkeyKeys
  ) throws(Graph.ValkeyError) {
    self.configuration = configuration
    self.keys = keys
    self.library = library
    let breaker = ValkeyBreaker(configuration.backoff)
    self.breaker = breaker
    let route = ValkeyRoute(library, configuration, keys)
    let handshake = ValkeyHandshake.commands(configuration, keys)
    links = (0..<max(1, configuration.connections)).map { _ in
      ValkeyLink(library, configuration, breaker, route, handshake)
    }
    subscriptions = ValkeySubscriptions(library, configuration, route, keys)
    loop = try ValkeyLoop(links + [subscriptions.link], tick: configuration.timeout)
    subscriptions.start(loop)
  }

  deinit { loop.stop() }

  /// Whether a connection is open.
  var isConnected: Bool { breaker.readyCount > 0 }

  /// The server of the connections; nil while there is none.
  var server: Graph.ValkeyConfiguration.Address? {
    // A lazy sequence would read a server twice, which can be lost in between.
    for link in links {
      if let server = link.server { return server }
    }
    return nil
  }

  /// Asks the server for signs that messages about changes arrive, and closes their connection if there are none.
  ///
  /// - Parameter interval: the time between two calls.
  func checkSubscriptions(every interval: Duration) {
    subscriptions.check(limit: interval / 2)
    guard case .cluster = configuration.topology else { return }
    // A server from which the keys have moved keeps its connections, and reports no changes. It refuses this command.
    Task { [weak self, keys] in
      do throws(Graph.ValkeyError) {
        let value = try await self?.send(ValkeyCommands("GET", keys.all), timeout: interval).first
        _ = try value?.checked()
      } catch {
        if error.code != .overloaded { self?.subscriptions.lose() }
      }
    }
  }

  /// Sends commands in one write.
  ///
  /// - Returns: a value for each; errors of the server are values.
  func send(
    _ commands: ValkeyCommands, timeout: Duration? = nil
  ) async throws(Graph.ValkeyError) -> [ValkeyValue] {
    if Task.isCancelled { throw .cancelled }
    if let refusal = breaker.refusal { throw refusal }
    let deadline = ValkeyClock.now + (timeout ?? configuration.timeout).nanoseconds
    let call = ValkeyCall(commands, deadline: deadline)
    if let (link, letsOthersSend) = try submit(call) {
      if letsOthersSend { await Task.yield() }
      let (needsLoop, consequences) = link.waitForValues(of: call)
      loop.follow(consequences)
      if needsLoop { loop.wake() }
    }
    return try await call.values()
  }

  /// - Returns: the connection from which the calling task must read.
  private func submit(
    _ call: ValkeyCall
  ) throws(Graph.ValkeyError) -> (link: ValkeyLink, letsOthersSend: Bool)? {
    let first = next.withLock { next in
      next = (next + 1) % links.count
      return next
    }
    for offset in links.indices {
      let link = links[(first + offset) % links.count]
      switch link.send(call, waits: false, mayRead: true) {
      case .sent(let time):
        loop.wake(before: time)
        return nil
      case .isReader(let letsOthersSend, let end):
        if letsOthersSend { loop.wake(before: end) }
        return (link, letsOthersSend)
      case .needsLoop:
        loop.wake()
        return nil
      case .full:
        throw Graph.ValkeyError(.overloaded, message: "too many commands are in progress")
      case .notReady: continue
      case .wasClosed: loop.wake()
      }
    }
    // The first commands open all connections, and wait for the first that is ready.
    links.forEach { $0.want() }
    switch links[0].send(call, waits: true, mayRead: false) {
    case .sent, .isReader, .needsLoop: loop.wake()
    case .full, .notReady, .wasClosed: throw .noConnection
    }
    return nil
  }
}

extension ValkeyShard {
  /// Sends one command that removes something, which may be carried out more than once. It waits for the first connection, at
  /// most for the time in which that must be open; after a failed attempt, it fails without a wait.
  ///
  /// If the master of the keys can change, the command is sent until a master has carried it out, at most for the same
  /// time.
  func remove(by command: ValkeyCommands) async throws(Graph.ValkeyError) {
    let end = ValkeyClock.now + configuration.connectTimeout.nanoseconds
    while true {
      var failure = Graph.ValkeyError.isNotMaster
      do throws(Graph.ValkeyError) {
        let timeout = max(configuration.timeout, .nanoseconds(end - ValkeyClock.now))
        let value = try await send(command, timeout: timeout)[0]
        guard configuration.requiresMaster, value.isRedirection || value.isRefusalOfMaster else {
          _ = try value.checked()
          return
        }
        let left = Duration.nanoseconds(end - ValkeyClock.now)
        if left > .zero, let server = value.redirection(from: server),
          await isCarriedOut(command, by: server, within: left)
        {
          return
        }
      } catch {
        guard configuration.requiresMaster, [.unavailable, .connectionLost].contains(error.code)
        else { throw error }
        failure = error
      }
      guard ValkeyClock.now < end else { throw failure }
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { throw .cancelled }
    }
  }

  /// Sends a command to the server to which its key moves.
  private func isCarriedOut(
    _ command: ValkeyCommands, by server: Graph.ValkeyConfiguration.Address, within limit: Duration
  ) async -> Bool {
    var commands = ValkeyCommands("ASKING")
    commands.append(contentsOf: command)
    return (try? await values(of: commands, within: limit) { server }) != nil
  }

  /// Sends commands on a connection of their own.
  private func values(
    of commands: ValkeyCommands, within limit: Duration,
    at server:
      @escaping @Sendable () throws(Graph.ValkeyError) -> Graph.ValkeyConfiguration.Address
  ) async throws(Graph.ValkeyError) -> [ValkeyValue] {
    let dialog = ValkeyDialog(
      library: library, credentials: configuration.credentials, tls: configuration.tls,
      limit: limit)
    let call = ValkeyCall(commands, deadline: .max)
    // It blocks.
    let thread = Thread {
      do throws(Graph.ValkeyError) {
        guard let values = try dialog.values(of: commands, at: server()) else { throw .lost }
        call.end(.success(values))
      } catch {
        call.end(.failure(error))
      }
    }
    thread.name = "GraphValkey.command"
    thread.start()
    // Resolving the name of a host has no limit.
    let timer = Task {
      try await Task.sleep(for: limit)
      call.end(.failure(.timeIsOver))
    }
    defer { timer.cancel() }
    return try await call.values()
  }
}

/// A script that the server runs without interruption.
struct ValkeyScript: Sendable {
  let source: String
  /// The digest by which the server knows a script that it has run before.
  let digest: String

  init(_ source: String) {
    self.source = source
    digest = SHA1.digest(source.utf8).hexadecimal
  }
}

extension ValkeyShard {
  /// Runs a script. Its text is only sent if the server does not know it, as after a restart.
  func evaluate(
    _ script: ValkeyScript, keys: [String], _ arguments: [[UInt8]], timeout: Duration? = nil
  ) async throws(Graph.ValkeyError) -> ValkeyValue {
    let rest = [.init(text: String(keys.count))] + keys.map { [UInt8](text: $0) } + arguments
    var commands = ValkeyCommands()
    commands.append([.init(text: "EVALSHA"), .init(text: script.digest)] + rest)
    let value = try await send(commands, timeout: timeout)[0]
    guard let error = value.error, error.hasPrefix("NOSCRIPT") else { return try value.checked() }
    var full = ValkeyCommands()
    full.append([.init(text: "EVAL"), .init(text: script.source)] + rest)
    return try await send(full, timeout: timeout)[0].checked()
  }
}
