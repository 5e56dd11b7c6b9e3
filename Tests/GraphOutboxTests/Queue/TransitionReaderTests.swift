import GraphClient
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// Transitions for several readers.
@Suite(.timeLimit(.minutes(1)))
struct TransitionReaderTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func read(_ transitions: Graph.Transitions, _ count: Int) async -> [String] {
    var read: [String] = []
    for await transition in transitions.prefix(count) {
      read.append("\(transition.operation) \(transition.to)")
    }
    return read
  }

  @Test func eachReaderReceivesAllTransitions() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let transitions = outbox.transitions()
    async let early = read(transitions, 10)
    async let other = read(transitions, 10)
    for note in 1...10 {
      try await outbox.queue(shop.note("\(note)", "9"), for: shop.cart("9"))
    }
    let late = await read(transitions, 10)
    let (first, second) = await (early, other)
    #expect(first.count == 10 && first == second && first == late)
  }

  /// One reader does not miss the transitions that the other has read.
  @Test func eachReaderHasItsOwnCountOfMissedTransitions() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let transitions = outbox.transitions(keeping: 3)
    var fast = transitions.makeAsyncIterator()
    var slow = transitions.makeAsyncIterator()
    for note in 1...5 {
      try await outbox.queue(shop.note("\(note)", "9"), for: shop.cart("9"))
      #expect(await fast.next()?.missed == 0)
    }
    #expect(await slow.next()?.missed == 2)
    await outbox.close()
    #expect(await fast.next() == nil)
    #expect(await slow.next()?.missed == 0)
    #expect(await slow.next()?.missed == 0)
    #expect(await slow.next() == nil)
  }
}
