import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(2))) struct ValkeyLeaseTests {
  private let any: @Sendable (Graph.CachedResponse) -> Bool = { _ in true }

  private func granted(_ outcome: Graph.LeaseOutcome) -> (any Graph.ResponseLease)? {
    if case .granted(let lease) = outcome { lease } else { nil }
  }

  private func storage(
    _ server: ValkeyServer, _ change: (inout Graph.ValkeyStorage.Options) -> Void = { _ in }
  ) throws -> Graph.ValkeyStorage {
    var options = Graph.ValkeyStorage.Options()
    change(&options)
    return Graph.ValkeyStorage(try server.client(), options: options)
  }

  @Test func waitingProcessesGetTheResponse() async throws {
    let server = try await ValkeyServer()
    let holder = try storage(server)
    let lease = try #require(
      granted(try await holder.lease(for: key("a"), within: nil, unless: any)))
    let waiting = (0..<8).map { _ in
      Task { [any] in
        let outcome = try await storage(server).lease(for: key("a"), within: nil, unless: any)
        guard case .stored(let response) = outcome else { return nil as [UInt8]? }
        return response.bytes
      }
    }
    try await until("all subscribe") {
      try await holder.valkey.run("PUBSUB", "NUMSUB", holder.keys.channel(key("a"))).array?.last
        == .integer(8)
    }
    try await lease.store(response("{}"))
    for task in waiting { #expect(try await task.value == Array("{}".utf8)) }
    try await until("all have left") {
      try await holder.valkey.run("PUBSUB", "NUMSUB", holder.keys.channel(key("a"))).array?.last
        == .integer(0)
    }
    // The lease has ended.
    try await holder.remove(key("a"))
    #expect(granted(try await holder.lease(for: key("a"), within: nil, unless: any)) != nil)
  }

  @Test func failureGivesTheLeaseToOneOther() async throws {
    let server = try await ValkeyServer()
    let holder = try storage(server)
    let lease = try #require(
      granted(try await holder.lease(for: key("a"), within: nil, unless: any)))
    let other = Task { [any] in
      try await storage(server).lease(for: key("a"), within: nil, unless: any)
    }
    try await Task.sleep(for: .milliseconds(50))
    await lease.end(letsOthersAsk: false)
    #expect(granted(try await other.value) != nil)
  }

  @Test func unstorableResponsesLetAllAsk() async throws {
    let server = try await ValkeyServer()
    let holder = try storage(server)
    let lease = try #require(
      granted(try await holder.lease(for: key("a"), within: nil, unless: any)))
    let others = (0..<4).map { _ in
      Task { [any] in try await storage(server).lease(for: key("a"), within: nil, unless: any) }
    }
    try await Task.sleep(for: .milliseconds(50))
    await lease.end(letsOthersAsk: true)
    for other in others {
      guard case .unavailable = try await other.value else {
        Issue.record("a process still waits for a response that is never stored")
        continue
      }
    }
  }

  /// The lease of a process that was killed expires.
  @Test func expiredLeaseIsGrantedToAnother() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server) { $0.leaseTime = .milliseconds(300) }
    try await storage.valkey.run("SET", storage.keys.lease(key("a")), "dead", "PX", "1000")
    let clock = ContinuousClock()
    var lease: (any Graph.ResponseLease)?
    let time = try await clock.measure {
      lease = granted(try await storage.lease(for: key("a"), within: nil, unless: any))
    }
    #expect(lease != nil && time > .milliseconds(100) && time < .seconds(4))
  }

  // The task that extends it can be late by seconds while all tests run.
  @Test func leaseIsExtendedDuringALongRequest() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server) { $0.leaseTime = .seconds(4) }
    let lease = try #require(
      granted(try await storage.lease(for: key("a"), within: nil, unless: any)))
    let outcome = try await storage.lease(for: key("a"), within: .seconds(6), unless: any)
    guard case .unavailable = outcome else {
      Issue.record("the lease was not extended")
      return
    }
    await lease.end(letsOthersAsk: false)
  }

  /// A process that asks and gives up, as when the server is stopped, does not know of its lease.
  @Test func unknownLeaseIsShort() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.timeout = .milliseconds(5) }
    let asking = Graph.ValkeyStorage(valkey)
    let observer = try storage(server)
    try await until("connected") { (try? await valkey.ping()) != nil }
    server.signal(SIGSTOP)
    let outcome = try? await asking.lease(for: key("a"), within: nil, unless: any)
    server.signal(SIGCONT)
    #expect(outcome == nil)
    // The server carries out the command when it continues.
    let remaining = try await observer.valkey.run("PTTL", observer.keys.lease(key("a"))).integer
    #expect(try #require(remaining) <= 100)
  }

  /// A process that was stopped for longer than its lease must not end another's.
  @Test func lateHolderDoesNotEndTheNextLease() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server)
    let lease = try #require(
      granted(try await storage.lease(for: key("a"), within: nil, unless: any)))
    try await storage.valkey.run("SET", storage.keys.lease(key("a")), "another")
    await lease.end(letsOthersAsk: false)
    #expect(try await storage.valkey.run("GET", storage.keys.lease(key("a"))).text == "another")
    try await lease.store(response("{}"))
    #expect(try await storage.valkey.run("GET", storage.keys.lease(key("a"))).text == "another")
    #expect(try await storage.response(for: key("a")) != nil)
  }

  @Test func waitIsLimited() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server)
    let lease = granted(try await storage.lease(for: key("a"), within: nil, unless: any))
    let clock = ContinuousClock()
    let time = try await clock.measure {
      let outcome = try await storage.lease(for: key("a"), within: .milliseconds(100), unless: any)
      if case .unavailable = outcome { return }
      Issue.record("there is a lease")
    }
    #expect(time >= .milliseconds(100) && time < .seconds(2))
    withExtendedLifetime(lease) {}
  }

  @Test func cancelledTaskStopsWaiting() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server)
    let lease = granted(try await storage.lease(for: key("a"), within: nil, unless: any))
    let task = Task { [any] in try await storage.lease(for: key("a"), within: nil, unless: any) }
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    let clock = ContinuousClock()
    let time = await clock.measure { _ = await task.result }
    #expect(time < .seconds(2))
    // The task is cancelled while it sleeps, or during a command.
    let error = await #expect(throws: (any Error).self) { try await task.value }
    #expect(error is CancellationError || (error as? Graph.ValkeyError)?.code == .cancelled)
    withExtendedLifetime(lease) {}
  }

  /// A response that was requested before the logout of its user must not be stored after it, by any process.
  @Test func responseFromBeforeARemovalIsNotStored() async throws {
    let server = try await ValkeyServer()
    let (storage, other) = (try storage(server), try storage(server))
    for removal in 0..<2 {
      let lease = try #require(
        granted(try await storage.lease(for: key("a"), within: nil, unless: any)))
      if removal == 0 {
        try await other.removeAll()
      } else {
        try await other.removeAll(ofScope: "scope")
      }
      try await lease.store(response("{}"))
      #expect(try await other.response(for: key("a")) == nil)
    }
    let lease = try #require(
      granted(try await storage.lease(for: key("a"), within: nil, unless: any)))
    try await lease.store(response("{}"))
    #expect(try await other.response(for: key("a")) != nil)
  }

  @Test func unusableResponseIsRequestedAgain() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server)
    try await storage.store(response("old"), for: key("a"))
    let isNew: @Sendable (Graph.CachedResponse) -> Bool = { $0.bytes != Array("old".utf8) }
    let lease = try #require(
      granted(try await storage.lease(for: key("a"), within: nil, unless: isNew)))
    try await lease.store(response("new"))
    guard case .stored = try await storage.lease(for: key("a"), within: nil, unless: isNew) else {
      Issue.record("the new response is not used")
      return
    }
  }

  @Test func lossOfTheServerEndsTheWait() async throws {
    let server = try await ValkeyServer()
    let storage = try storage(server)
    let lease = granted(try await storage.lease(for: key("a"), within: nil, unless: any))
    let task = Task { [any] in try? await storage.lease(for: key("a"), within: nil, unless: any) }
    try await Task.sleep(for: .milliseconds(100))
    server.kill9()
    let clock = ContinuousClock()
    let time = await clock.measure { _ = await task.value }
    #expect(time < .seconds(3))
    withExtendedLifetime(lease) {}
  }
}
