import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// Operations of which it is unknown whether they were carried out.
struct UncertaintyTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func aRepeatableOperationIsRetriedUntilAResponseArrives() async throws {
    for _ in 1...20 { shop.server.endpoint.enqueue(.cutOff(afterBytes: 5)) }
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(shop.creation, for: shop.cart(Graph.TemporaryKey.make()))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["create gid://Cart/1"])
  }

  /// It may have been carried out, and was then refused three times.
  @Test func anOperationIsVerifiedBeforeItIsMarkedUncertain() async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    for _ in 1...3 { shop.server.endpoint.enqueue(.inProgress) }
    let requested = Locked<[String]>([])
    let (outbox, _) = try await shop.run {
      $0.verify = { operation in
        requested.withLock { $0.append(operation.name) }
        return .executed()
      }
    }
    var steps = outbox.transitions().makeAsyncIterator()
    let id = try await outbox.queue(
      shop.note("ring", "9"), for: shop.cart("9"), isIdempotent: true)
    await outbox.flush()
    #expect(requested.withLock { $0 } == ["Note"])
    #expect(try outbox.state(ofOperation: id) == .received)
    while let step = await steps.next(), !step.to.isFinal { #expect(step.to != .uncertain) }
  }

  /// A hook that does not return occupies no slot and does not delay other hooks.
  @Test(.timeLimit(.minutes(1)))
  func aHangingHookDoesNotDelayOtherObjects() async throws {
    let gate = AsyncStream.makeStream(of: Void.self)
    for _ in 1...2 { shop.server.endpoint.enqueue(.cutOff(afterBytes: 5)) }
    let (outbox, _) = try await shop.run {
      $0.concurrentOperations = 1
      $0.verify = { operation in
        guard operation.entity.key == "1" else { return .executed() }
        for await _ in gate.stream {}
        return .executed()
      }
    }
    var steps = outbox.transitions().makeAsyncIterator()
    let first = try await outbox.queue(shop.note("a", "1"), for: shop.cart("1"))
    let second = try await outbox.queue(shop.note("b", "2"), for: shop.cart("2"))
    let third = try await outbox.queue(shop.note("c", "3"), for: shop.cart("3"))
    var open: Set = [second, third]
    while !open.isEmpty, let step = await steps.next() {
      if step.to == .received { open.remove(step.operation) }
    }
    #expect(try outbox.state(ofOperation: first)?.isFinal == false)
    gate.continuation.finish()
    await outbox.flush()
    #expect(try outbox.state(ofOperation: first) == .received)
  }

  /// A crash leaves an operation in transit; the hook is called before the operation is uncertain.
  @Test(arguments: [true, false])
  func anOperationInTransitIsVerifiedAfterACrash(isKnown: Bool) async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1", isRepeatable: false)
    #expect(try await queue.claim() == "a")
    var configuration = Graph.Outbox.Configuration()
    configuration.verify = { [queue = queue.store] _ in
      let states = try? queue.rows("SELECT state FROM outbox_operation", []) { $0.text(0) }
      #expect(states == ["inTransit"])
      return isKnown ? .executed() : .unknown
    }
    let outbox = try await Graph.Outbox(
      store: queue.store, client: shop.server.client, configuration: configuration)
    await outbox.flush()
    #expect(try outbox.state(ofOperation: "a") == (isKnown ? .received : .uncertain))
  }

  /// The result for an earlier attempt does not apply to a new one.
  @Test func aHookResultAfterARetryIsDropped() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1", isRepeatable: false)
    let old = try await queue.write { try require($0.claim()) }
    try await queue.settle("a", .markUncertain(Graph.RejectionReason(message: "m"), RefusalCount()))
    try await queue.write { try $0.retry(require($0.operation(id: "a"))) }
    try await queue.write { try $0.settle(old, .confirm(key: nil), response: "") }
    #expect(try queue.states() == ["a pending"])
    #expect(try await queue.claim() == "a")
    try await queue.write { try $0.settle(old, .confirm(key: nil), response: "") }
    #expect(try queue.states() == ["a inTransit"])
  }

  /// Time in which the limit of hooks has always passed.
  private struct Impatient: Graph.TimeSource {
    var now: Graph.Timestamp { .now }

    func sleep(for duration: Duration) async throws {
      if duration != Sender.hookLimit { try await Task.sleep(for: duration) }
    }

    func random() -> Double { 0 }
  }

  @Test(.timeLimit(.minutes(1)))
  func aHookResultAfterTheTimeoutIsAccepted() async throws {
    let gate = AsyncStream.makeStream(of: Void.self)
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    let (outbox, _) = try await shop.run {
      $0.time = Impatient()
      $0.verify = { _ in
        for await _ in gate.stream {}
        return .executed()
      }
    }
    var steps = outbox.transitions().makeAsyncIterator()
    let id = try await outbox.queue(shop.note("a", "1"), for: shop.cart("1"))
    while let step = await steps.next(), step.to != .uncertain {}
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .uncertain)
    gate.continuation.finish()
    while let step = await steps.next(), step.to != .received {}
    #expect(try outbox.state(ofOperation: id) == .received)
  }
}
