import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// Tasks and the loop use one connection at the same time.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(3))) struct ConnectionReadingTests {
  /// The task that should read gets no thread. The loop reads instead, for it and for calls that were sent after it.
  @Test func theLoopReadsForATaskWithoutAThread() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.connections = 1 }
    try await valkey.ping()
    let link = valkey.shard.links[0]
    var count = 0
    try await until("a call was to be read by its task 20 times") {
      // Nothing else is in progress.
      let call = ValkeyCall(ValkeyCommands("ECHO", "first"), deadline: .max)
      switch link.send(call, waits: false, mayRead: true) {
      case .isReader:
        ReadingPolicy.end()
        count += 1
      default: valkey.shard.loop.wake()
      }
      let next = try await valkey.run("ECHO", "next").text
      #expect(next == "next")
      #expect(try await call.values() == [.bytes(.init(text: "first"))])
      return count == 20
    }
  }

  /// A task reads that the server is not the master any more. The connection for messages is closed by the loop, so that
  /// its owner gets events on one thread only.
  @Test func ownersGetEventsOnTheThreadOfTheLoop() async throws {
    let cluster = try await ServerCluster()
    let valkey = try cluster.client(shards: 1) { $0.connections = 1 }
    let shard = valkey.shard
    let slot = shard.keys.slot
    let threads = Locked<Set<ObjectIdentifier>>([])
    let losses = Locked(0)
    let isSubscribed = Locked(false)
    let id = shard.subscriptions.subscribe("{test:0}") { message in
      threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
      isSubscribed.withLock { $0 = message == .subscribed }
      if message == .lost { losses.withLock { $0 += 1 } }
    }
    var source = try #require(
      cluster.nodes.indices.first { slot * 3 / HashSlot.count == $0 })
    for round in 1...8 {
      try await until("subscribed") {
        _ = try? await valkey.ping()
        return isSubscribed.withLock { $0 } && valkey.isConnected
      }
      // Tasks read from a connection that works.
      for _ in 0..<50 { _ = try? await valkey.run("GET", shard.keys.all) }
      let target = (source + 1) % 3
      try await cluster.beginMove(of: slot, from: source, to: target)
      try await cluster.endMove(of: slot, from: source, to: target)
      source = target
      try await until("the loss is noticed") {
        _ = try? await valkey.run("GET", shard.keys.all)
        return losses.withLock { $0 } >= round
      }
    }
    #expect(threads.withLock { $0.count } == 1)
    shard.subscriptions.unsubscribe("{test:0}", id)
  }

  /// A connection sends something that is not the protocol. Before the thread that has read it closes the connection,
  /// another one has done so, and has opened a new one. That one stays open.
  @Test func aLossClosesItsOwnConnectionOnly() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let proxy = try FaultyProxy(to: port)
    let configuration = Graph.ValkeyConfiguration(
      .host("127.0.0.1", port: proxy.port), namespace: "test")
    let (library, keys) = (try #require(HiredisLibrary.installed), ValkeyKeys(prefix: "test"))
    let owned = Locked<ValkeyLink?>(nil)
    let messages = Locked(0)
    // Without a loop: this test decides when something is read.
    let link = ValkeyLink(
      library, configuration, ValkeyBreaker(configuration.backoff),
      ValkeyRoute(library, configuration, keys), ValkeyHandshake.commands(configuration, keys)
    ) { event in
      guard case .message = event, let link = owned.withLock({ $0 }) else { return }
      messages.withLock { $0 += 1 }
      // Another thread can do this meanwhile.
      link.close(.lost, isSuspect: false, at: ValkeyClock.now)
      let end = ValkeyClock.now + 20_000_000_000
      while !link.isReady, ValkeyClock.now < end { Self.advance(link) }
    }
    owned.withLock { $0 = link }
    link.want()
    try await until("the connection is open") {
      Self.advance(link)
      return link.isReady
    }
    let first = link.state.withLock { $0.attempt }
    proxy.insert("+message\r\nnot the protocol\r\n")
    try await until("the message is read") {
      Self.advance(link)
      return messages.withLock { $0 } == 1
    }
    #expect(link.isReady)
    #expect(link.state.withLock { $0.attempt } != first)
    link.stop()
    owned.withLock { $0 = nil }
    withExtendedLifetime(server) {}
  }

  /// The part of the loop.
  private static func advance(_ link: ValkeyLink) {
    _ = link.prepare(at: ValkeyClock.now) {}
    _ = link.serve(at: ValkeyClock.now)
  }
}
