import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(2))) struct SubscriptionTests {
  /// A process that no longer waits for a lease leaves nothing behind, even if the server has not responded yet.
  @Test func channelsWithoutSubscribersAreForgotten() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let subscriptions = valkey.shard.subscriptions
    let isSubscribed = Locked(false)
    let last = subscriptions.subscribe("first") { message in
      if message == .subscribed { isSubscribed.withLock { $0 = true } }
    }
    try await until("the connection is open") { isSubscribed.withLock { $0 } }
    subscriptions.unsubscribe("first", last)
    for number in 0..<100 {
      let channel = "channel \(number)"
      subscriptions.unsubscribe(channel, subscriptions.subscribe(channel) { _ in })
    }
    isSubscribed.withLock { $0 = false }
    let id = subscriptions.subscribe("last") { message in
      if message == .subscribed { isSubscribed.withLock { $0 = true } }
    }
    try await until("the server has responded to all") { isSubscribed.withLock { $0 } }
    #expect(subscriptions.confirmedCount == 1)
    subscriptions.unsubscribe("last", id)
    #expect(subscriptions.confirmedCount == 0)
  }

  /// A task subscribes to a channel while the last subscriber of it leaves: its messages must arrive.
  @Test func aSubscriptionAtTheEndOfAnotherCounts() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let subscriptions = valkey.shard.subscriptions
    let counts = Locked<[Int: Int]>([:])
    let channels = 0..<2000
    for number in channels {
      let channel = "channel \(number)"
      let old = subscriptions.subscribe(channel) { _ in }
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        if index == 0 {
          subscriptions.unsubscribe(channel, old)
        } else {
          _ = subscriptions.subscribe(channel) { message in
            if message == .message { counts.withLock { $0[number, default: 0] += 1 } }
          }
        }
      }
    }
    try await until("all are subscribed") { subscriptions.confirmedCount == channels.count }
    for number in channels { try await valkey.run("PUBLISH", "channel \(number)", "") }
    try await until("a message arrives on each", within: .seconds(10)) {
      counts.withLock { $0.count } == channels.count
    }
  }

  /// The longest limits do not trap.
  @Test func aTimeoutMayBeEndless() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client {
      $0.timeout = .seconds(Int64.max)
      $0.connectTimeout = .seconds(Int64.max)
    }
    try await valkey.ping()
    let storage = Graph.ValkeyStorage(valkey)
    try await storage.store(response("1"), for: key("a"))
    #expect(try await storage.response(for: key("a")) != nil)
    try await storage.removeAll()
  }
}
