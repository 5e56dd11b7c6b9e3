import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// How the writes of an object end, as observers of the object see it.
struct SyncStateTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test(arguments: [true, false])
  func theFinalStateIsVisibleUntilItIsAcknowledged(isRefused: Bool) async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    var states = outbox.states(of: shop.cart("9")).makeAsyncIterator()
    #expect(try await states.next() == .some(nil))
    let id = try await outbox.queue(
      shop.note(isRefused ? "refused" : "ring", "9"), for: shop.cart("9"))
    #expect(try await states.next()??.state == .pending)
    await outbox.resume()
    await outbox.flush()
    let end = try #require(try outbox.state(of: shop.cart("9")))
    #expect(end.operation == id && end.state == (isRefused ? .rejected : .received))
    #expect(end.receipt?["note"] == (isRefused ? "refused" : nil))
    #expect(end.reason?.code == (isRefused ? "INVALID" : nil))
    while let state = try await states.next(), state != end {}
    try await outbox.acknowledge(id)
    #expect(try await states.next() == .some(nil))
    #expect(try outbox.state(of: shop.cart("9")) == nil)
  }

  /// Keys that Unicode calls equivalent are those of two objects.
  @Test func keysAreComparedByBytes() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let carts = ["caf\u{E9}", "cafe\u{301}"].map { shop.cart(.init(rawValue: $0)) }
    var second = outbox.states(of: carts[1]).makeAsyncIterator()
    let ids = [
      try await outbox.queue(
        shop.note("a", "1"), for: carts[0], optimistic: .create(["note": "a"])),
      try await outbox.queue(
        shop.note("b", "1"), for: carts[1], optimistic: .create(["note": "b"])),
    ]
    #expect(try carts.map { try outbox.state(of: $0)?.operation } == ids)
    #expect(try await second.next()??.operation == ids[1])
    #expect(
      try carts.map { try store.object(Storefront.Cart.self, key: $0.key)?.note } == ["a", "b"])
    try await outbox.cancel(ids[0])
    try await outbox.acknowledge(ids[0])
    #expect(try outbox.state(of: carts[0]) == nil)
    #expect(try outbox.state(of: carts[1])?.state == .pending)
    #expect(
      try carts.map { try store.object(Storefront.Cart.self, key: $0.key)?.note } == [nil, "b"])
  }

  @Test func openOperationsTakePrecedenceOverEndedOnes() async throws {
    let (outbox, _) = try await shop.run()
    let first = try await outbox.queue(shop.note("a", "9"), for: shop.cart("9"))
    let second = try await outbox.queue(shop.note("refused", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(of: shop.cart("9"))?.operation == second)
    await outbox.pause()
    let third = try await outbox.queue(shop.note("c", "9"), for: shop.cart("9"))
    let open = try #require(try outbox.state(of: shop.cart("9")))
    #expect(open.operation == third && open.state == .pending && open.receipt == nil)
    try await outbox.cancel(third)
    try await outbox.acknowledge(third)
    #expect(try outbox.state(of: shop.cart("9"))?.operation == second)
    try await outbox.acknowledge(second)
    #expect(try outbox.state(of: shop.cart("9"))?.operation == first)
  }

  /// The receipt of a creation that was rejected is found under the temporary key.
  @Test func aRejectedCreationIsVisibleUnderItsTemporaryKey() async throws {
    let id = Graph.TemporaryKey.make()
    let (outbox, _) = try await shop.run()
    try await outbox.queue(shop.note("refused", id), for: shop.cart(id))
    await outbox.flush()
    #expect(try outbox.state(of: shop.cart(id))?.state == .rejected)
  }

  @Test func theReasonForWaitingIsVisible() async throws {
    shop.server.endpoint.enqueue(.status(429))
    let (outbox, _) = try await shop.run {
      $0.backoff = Graph.Backoff(base: .seconds(3600), maximum: .seconds(3600))
    }
    try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    let state = try #require(try outbox.state(of: shop.cart("9")))
    #expect(state.state == .waiting && state.reason?.code == "http 429")
  }

  @Test func aSlowReaderReceivesTheNumberOfMissedTransitions() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    var transitions = outbox.transitions(keeping: 3).makeAsyncIterator()
    var ids: [String] = []
    for note in 1...10 {
      ids.append(
        try await outbox.queue(shop.note("\(note)", "9"), for: shop.cart("9")))
    }
    let first = try #require(await transitions.next())
    #expect(first.operation == ids[7] && first.missed == 7)
    let second = try #require(await transitions.next())
    #expect(second.operation == ids[8] && second.missed == 0)
    // No reader takes the states for a long time, and nothing grows.
    for id in ids { try await outbox.cancel(id) }
    await outbox.close()
    var rest: [Graph.Transition] = []
    while let transition = await transitions.next() { rest.append(transition) }
    #expect(rest.map(\.operation) == Array(ids[7...]))
    #expect(rest.map(\.missed) == [8, 0, 0])
  }

  private struct Notes: Sendable {
    var states: [Graph.OperationState?] = []
    var transitions: [Graph.OperationState] = []
  }

  /// Every sequence has a closure with the same content, and functions with a key also accept an
  /// object.
  @Test(.timeLimit(.minutes(1)))
  func observersAreCalledUntilTheirTokenIsReleased() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await store.write(
      json: Array(#"{"id":"9","note":"old"}"#.utf8), as: Storefront.Cart.self)
    let cart = try #require(try store.object(Storefront.Cart.self, id: "9"))
    let notes = Locked(Notes())
    var tokens = [
      try outbox.observe(cart) { state in notes.withLock { $0.states.append(state?.state) } },
      outbox.observeTransitions { transition in
        notes.withLock { $0.transitions.append(transition.to) }
      },
    ]
    try await wait { notes.withLock { $0.states == [nil] } }
    let first = try await outbox.queueSave(shop.note("a", "9"), for: cart)
    try await wait { notes.withLock { $0.states.count == 2 } }
    let second = try await outbox.queueSave(shop.note("b", "9"), for: shop.cart("9"))
    let third = try await outbox.queue(shop.note("c", "9"), for: cart)
    try await wait { notes.withLock { $0.transitions.count == 2 } }
    let seen = notes.withLock { $0 }
    #expect(first == second && second != third)
    #expect(seen.states == [nil, .pending] && seen.transitions == [.pending, .pending])
    #expect(try outbox.state(of: cart)?.operation == first)
    tokens = []
    #expect(tokens.isEmpty)
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 b", "9 c"])
    #expect(notes.withLock { $0.transitions } == [.pending, .pending])
  }
}
