import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// One outbox at a time works with a file.
struct OutboxLockTests {
  #if os(Linux)
    /// Elsewhere the file system may take both names for one.
    @Test func locksCompareFileNamesByBytes() async throws {
      let folder = try TemporaryFolder()
      var locks: [OutboxLock] = []
      for name in ["caf\u{E9}", "cafe\u{301}"] {
        let lock = try await OutboxLock.take(
          forStoreAt: folder.file(name).path, patience: .zero)
        locks.append(lock)
      }
      for lock in locks { lock.release() }
    }
  #endif

  /// A child process has a copy of each descriptor until it executes its program.
  @Test func aCopyOfTheDescriptorDoesNotKeepAReleasedLock() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite").path
    let lock = try await OutboxLock.take(forStoreAt: path, patience: .zero)
    let copy = dup(lock.descriptor)
    defer { close(copy) }
    lock.release()
    try await OutboxLock.take(forStoreAt: path, patience: .zero).release()
  }

  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func aSecondOutboxIsRefused() async throws {
    let (first, store) = try await shop.run { $0.startsPaused = true }
    let error = await #expect(throws: Graph.OutboxError.self) { _ = try await shop.run() }
    #expect(error?.code == .alreadyOpen)
    // The same applies to a second outbox of the same store.
    await #expect(throws: Graph.OutboxError.self) {
      _ = try await Graph.Outbox(store: store, client: shop.server.client)
    }
    try await first.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await first.resume()
    await first.flush()
    #expect(shop.server.effects.log == ["9 ring"])
  }

  /// Blocks the first request until it is opened.
  private final class Gate: Graph.Transport {
    let endpoint: MockEndpoint
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    private let (openings, opened) = AsyncStream.makeStream(of: Void.self)

    init(_ endpoint: MockEndpoint) { self.endpoint = endpoint }

    func open() { opened.finish() }

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      arrived.yield()
      for await _ in openings {}
      return try await endpoint.send(request)
    }
  }

  /// An operation that is in progress when the outbox is released is the last one that it sends.
  @Test func aReleasedOutboxSendsNoFurtherOperations() async throws {
    let gate = Gate(shop.server.endpoint)
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: gate)
    var (outbox, store): (Graph.Outbox?, Graph.Store) = try await shop.run(client: client) {
      $0.concurrentOperations = 1
    }
    for note in 1...4 {
      try await outbox?.queue(shop.note("\(note)", "9"), for: shop.cart("9"))
    }
    for await _ in gate.arrivals { break }
    weak let gone = outbox
    outbox = nil
    #expect(gone == nil)
    gate.open()
    try await wait {
      try store.rows("SELECT count(*) FROM outbox_receipt", [], { $0.integer(0) }) == [1]
    }
    for _ in 1...1000 { await Task.yield() }
    #expect(shop.server.effects.log == ["9 1"])
  }

  /// A lock of another descriptor, as in another process.
  @Test func rejectsAFileLockedByAnotherProcess() async throws {
    let descriptor = open(shop.file.path + "-outbox", O_RDWR | O_CREAT, 0o600)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let error = await #expect(throws: Graph.OutboxError.self) { _ = try await shop.run() }
    #expect(error?.code == .alreadyOpen)
    close(descriptor)
    let (outbox, _) = try await shop.run()
    #expect(try outbox.summary().count == 0)
  }

  @Test func closingAnOutboxLetsAnotherOneOpen() async throws {
    let (first, _) = try await shop.run { $0.startsPaused = true }
    var transitions = first.transitions().makeAsyncIterator()
    try await first.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await first.close()
    let (second, _) = try await shop.run()
    await second.flush()
    #expect(shop.server.effects.log == ["9 ring"])
    #expect(await transitions.next()?.to == .pending)
    #expect(await transitions.next() == nil)
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await first.queue(shop.note("b", "9"), for: shop.cart("9"))
    }
    #expect(error?.code == .closed)
    await first.resume()
    await first.flush()
    #expect(shop.server.effects.log == ["9 ring"])
  }

  /// The next outbox does not repeat an operation that the previous one has in progress.
  @Test(.timeLimit(.minutes(1)))
  func theNextOutboxWaitsForTheRequestInProgress() async throws {
    let gate = Gate(shop.server.endpoint)
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: gate)
    var (outbox, _): (Graph.Outbox?, Graph.Store) = try await shop.run(client: client)
    try await outbox?.queue(shop.note("1", "9"), for: shop.cart("9"), isIdempotent: true)
    for await _ in gate.arrivals { break }
    outbox = nil
    let error = await #expect(throws: Graph.OutboxError.self) {
      _ = try await shop.run { $0.lockTimeout = .milliseconds(20) }
    }
    #expect(error?.code == .alreadyOpen)
    async let next = shop.run { $0.lockTimeout = .seconds(60) }
    gate.open()
    let (second, _) = try await next
    await second.flush()
    #expect(try second.receipts().map(\.state) == [.received])
    #expect(shop.server.effects.log == ["9 1"])
  }
}
