import Foundation
import GraphClient
import GraphQLRuntime
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox
@testable import GraphStore

/// The outbox takes the store's writer only to change the queue.
@Suite(.timeLimit(.minutes(2)))
struct WriteTransactionTests {
  private let shop: TestShop
  private let begun = Count()

  init() throws { shop = try TestShop() }

  private final class Count: Sendable {
    private let count = Locked(0)

    func add() { count.withLock { $0 += 1 } }

    /// The number since the last call.
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  /// The types that are transient in the schema's table.
  private static let transient = [
    "Customer", "MailingAddress", "Order", "OrderLineItem", "Cart", "Checkout",
  ]

  /// An outbox that has nothing to do.
  ///
  /// - Parameter persistent: the types whose objects are in the file nevertheless.
  private func outbox(
    _ host: String = "shop.example", persistent: [String] = ["Cart"]
  ) async throws -> Graph.Outbox {
    var configuration = Graph.Store.Configuration()
    for type in persistent {
      configuration.policies[type] = Graph.TypePolicy(persistence: .persistent)
    }
    configuration.recorder = { [begun] event in
      if event == .run(SQL.beginImmediate.text) { begun.add() }
    }
    let store = try Graph.Store(
      schema: Storefront.schema, file: shop.file, configuration: configuration)
    let client = Graph.Client(
      endpoint: try #require(URL(string: "https://\(host)/graphql")),
      transport: shop.server.endpoint)
    let outbox = try await Graph.Outbox(store: store, client: client)
    await outbox.flush()
    _ = begun.take()
    return outbox
  }

  /// One each to queue it, to take it, to keep the response, and to store it. A response that may have
  /// objects that must not be in the file is not kept.
  @Test(arguments: [(transient, 4), (["Cart"], 3)])
  func aDeliveredOperationNeedsThreeOrFourTransactions(persistent: [String], count: Int)
    async throws
  {
    let outbox = try await outbox(persistent: persistent)
    for number in 1...3 {
      try await outbox.queue(shop.note("\(number)", "9"), for: shop.cart("9"))
      await outbox.flush()
      #expect(begun.take() == count)
    }
    #expect(shop.server.effects.log == ["9 1", "9 2", "9 3"])
  }

  @Test func checkingAnEmptyQueueNeedsNoTransaction() async throws {
    let outbox = try await outbox()
    await outbox.flush()
    #expect(begun.take() == 0)
  }

  /// Also during a pause that the server has requested.
  @Test func waitingNeedsNoTransaction() async throws {
    // Pauses apply to the whole process, so this host is for this test only.
    let outbox = try await outbox("waiting.example")
    shop.server.endpoint.enqueue(.tooManyRequests(retryAfter: 600))
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .waiting)
    _ = begun.take()
    await outbox.flush()
    #expect(begun.take() == 0)
  }

  @Test func requeuingAnOperationNeedsOneTransaction() async throws {
    let outbox = try await outbox()
    let id = try await outbox.queue(shop.note("refused", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .rejected)
    await outbox.pause()
    _ = begun.take()
    try await outbox.requeue(id)
    #expect(begun.take() == 1)
  }

  /// An operation that is queued right after the sender has looked for work is sent as well, without a
  /// flush.
  @Test func concurrentlyQueuedOperationsAreSentWithoutAFlush() async throws {
    let outbox = try await outbox()
    let steps = outbox.transitions()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...100 {
        group.addTask {
          try await outbox.queue(
            shop.note("a", .init(rawValue: "\(number)")),
            for: shop.cart(.init(rawValue: "\(number)")))
        }
      }
      try await group.waitForAll()
    }
    var received = 0
    for await step in steps where step.to == .received {
      received += 1
      if received == 100 { break }
    }
    #expect(Set(shop.server.effects.log).count == 100)
    #expect(try outbox.summary().count == 0)
  }
}
