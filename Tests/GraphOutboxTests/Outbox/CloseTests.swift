import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// A closed outbox keeps the file until nothing of it is open, so that the next one repeats
/// nothing.
@Suite(.timeLimit(.minutes(2)))
struct CloseTests {
  private let shop: TestShop
  private let gate = AsyncStream.makeStream(of: Void.self)

  init() throws { shop = try TestShop() }

  /// A second outbox is refused while this one closes.
  private func expectRefusal() async {
    let error = await #expect(throws: Graph.OutboxError.self) {
      _ = try await shop.run { $0.lockTimeout = .milliseconds(20) }
    }
    #expect(error?.code == .alreadyOpen)
  }

  private func close(_ outbox: Graph.Outbox) async throws -> Task<Void, Never> {
    let closing = Task { await outbox.close() }
    try await wait { outbox.lock.isClosed }
    return closing
  }

  @Test func closeWaitsForTheVerificationHook() async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    let (requested, ask) = AsyncStream.makeStream(of: Void.self)
    let (first, _) = try await shop.run {
      $0.lockTimeout = .seconds(60)
      $0.verify = { [gate] _ in
        ask.yield()
        for await _ in gate.stream {}
        return .executed()
      }
    }
    let id = try await first.queue(shop.note("ring", "9"), for: shop.cart("9"))
    for await _ in requested { break }
    let closing = try await close(first)
    await expectRefusal()
    gate.continuation.finish()
    await closing.value
    let (second, _) = try await shop.run()
    #expect(try second.state(ofOperation: id) == .received)
  }

  /// An operation whose hook has not returned at the end of the wait is uncertain, although it
  /// could be repeated: the hook was called because the outcome was unknown. A later result of the
  /// hook is dropped.
  @Test func aHookThatHangsLeavesItsOperationUncertain() async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    for _ in 1...3 { shop.server.endpoint.enqueue(.inProgress) }
    let (requested, ask) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    var (first, _): (Graph.Outbox?, Graph.Store) = try await shop.run {
      $0.lockTimeout = .milliseconds(50)
      $0.verify = { [gate] _ in
        ask.yield()
        for await _ in gate.stream {}
        end.yield()
        return .executed()
      }
    }
    let id = try #require(
      try await first?.queue(
        shop.note("ring", "9"), for: shop.cart("9"), isIdempotent: true))
    for await _ in requested { break }
    await first?.close()
    first = nil
    let (second, _) = try await shop.run()
    await second.flush()
    #expect(try second.state(ofOperation: id) == .uncertain)
    gate.continuation.finish()
    for await _ in ended { break }
    await second.flush()
    #expect(try second.state(ofOperation: id) == .uncertain)
    #expect(shop.server.endpoint.requests.count == 4)
  }

  @Test func closeWaitsForTheConflictHook() async throws {
    shop.server.endpoint.enqueue(.status(409))
    let (requested, ask) = AsyncStream.makeStream(of: Void.self)
    let (first, _) = try await shop.run {
      $0.lockTimeout = .seconds(60)
      $0.conflicts["Cart"] = Graph.ConflictRule(
        versionField: "note",
        policy: .merge { [gate] _ in
          ask.yield()
          for await _ in gate.stream {}
          return nil
        })
    }
    let id = try await first.queue(shop.note("ring", "9"), for: shop.cart("9"))
    for await _ in requested { break }
    let closing = try await close(first)
    await expectRefusal()
    gate.continuation.finish()
    await closing.value
    let (second, _) = try await shop.run()
    await second.flush()
    #expect(try second.state(ofOperation: id) == .rejected)
    #expect(shop.server.endpoint.requests.count == 1)
  }

  /// The server has carried out the operation, and the disk has not yet stored the response. The
  /// outbox waits for it, also if the outbox is released instead of closed.
  @Test(arguments: [true, false])
  func closeWaitsUntilTheResponseIsOnDisk(isClosed: Bool) async throws {
    var (first, store): (Graph.Outbox?, Graph.Store) = try await shop.run {
      $0.startsPaused = true
      $0.lockTimeout = .seconds(60)
    }
    try await first?.queue(shop.note("ring", "9"), for: shop.cart("9"), isIdempotent: true)
    func execute(_ sql: String) async throws {
      try await store.write { _ = try $0.execute(sql) }
    }
    // Nothing can be settled; even so, the next outbox could open the queue.
    try await execute(
      """
      CREATE TRIGGER full BEFORE UPDATE OF state ON outbox_operation
      WHEN NEW.state = 'delivered' BEGIN SELECT RAISE(FAIL, 'the disk is full'); END
      """)
    await first?.resume()
    await first?.flush()
    #expect(shop.server.effects.log == ["9 ring"])
    let closing: Task<Void, Never>?
    if isClosed, let outbox = first { closing = try await close(outbox) } else { closing = nil }
    first = nil
    await expectRefusal()
    try await execute("DROP TRIGGER full")
    await closing?.value
    let (second, _) = try await shop.run { $0.lockTimeout = .seconds(60) }
    await second.flush()
    #expect(try second.receipts().map(\.state) == [.received])
    #expect(shop.server.endpoint.requests.count == 1)
  }

  /// A disk that stays full does not block a caller forever.
  @Test func closeStopsWaitingIfTheDiskStaysFull() async throws {
    let (first, store) = try await shop.run {
      $0.startsPaused = true
      $0.lockTimeout = .milliseconds(50)
    }
    let id = try await first.queue(shop.note("ring", "9"), for: shop.cart("9"))
    func execute(_ sql: String) async throws {
      try await store.write { _ = try $0.execute(sql) }
    }
    try await execute(
      """
      CREATE TRIGGER full BEFORE UPDATE OF state ON outbox_operation
      WHEN NEW.state = 'delivered' BEGIN SELECT RAISE(FAIL, 'the disk is full'); END
      """)
    await first.resume()
    #expect(await first.flush(within: .seconds(60)) == false)
    await first.close()
    try await execute("DROP TRIGGER full")
    let (second, _) = try await shop.run()
    await second.flush()
    #expect(try second.state(ofOperation: id) == .uncertain)
    #expect(shop.server.endpoint.requests.count == 1)
  }
}
