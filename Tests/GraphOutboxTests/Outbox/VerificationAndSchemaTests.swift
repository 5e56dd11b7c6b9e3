import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// Verification, files, schema changes, deadlines.
struct VerificationAndSchemaTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test(arguments: [true, false])
  func theVerificationHookDecidesWhetherAnOperationIsRetried(wasExecuted: Bool) async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    let (outbox, _) = try await shop.run {
      $0.verify = { operation in
        #expect(operation.name == "Note" && operation.entity.key == "9")
        return wasExecuted ? .executed() : .notExecuted
      }
    }
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.endpoint.requests.count == (wasExecuted ? 1 : 2))
  }

  @Test func anUncertainOperationIsVerifiedAfterARestart() async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    let (first, _) = try await shop.run { $0.verify = { _ in .unknown } }
    let id = try await first.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await first.flush()
    #expect(try first.state(ofOperation: id) == .uncertain)
    await first.close()
    let (outbox, _) = try await shop.run { $0.verify = { _ in .executed() } }
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
  }

  @Test func blocksAnOperationWhileTheSchemaLacksItsField() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("gone", "Cart:1", fields: "Mutation.cartCreate,Mutation.cartSing")
    try await queue.enqueue("there", "Cart:2", fields: "Mutation.cartCreate")
    try await queue.enqueue("after", "Cart:1", fields: "Mutation.cartCreate")
    try await queue.write { try $0.checkSchema() }
    #expect(try queue.states() == ["gone blocked", "there pending", "after pending"])
    #expect(try await queue.claim() == "there")
    #expect(try await queue.claim() == nil)
    try await queue.write {
      try $0.transaction.execute("UPDATE outbox_operation SET fields = 'Mutation.cartCreate'")
      try $0.checkSchema()
    }
    #expect(try queue.states() == ["gone pending", "there inTransit", "after pending"])
  }

  @Test func aSupportedSaveReplacesABlockedSave() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("old", "Cart:1", .save, fields: "Mutation.cartSing")
    try await queue.write { try $0.checkSchema() }
    #expect(try queue.states() == ["old blocked"])
    #expect(
      try await queue.enqueue("new", "Cart:1", .save, fields: "Mutation.cartCreate") == "old")
    #expect(try await queue.claim() == "old")
  }

  @Test func reopeningDoesNotBlockOperationsOfTheCurrentSchema() async throws {
    do {
      let (outbox, _) = try await shop.run { $0.startsPaused = true }
      try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    }
    let (outbox, _) = try await shop.run()
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 ring"])
  }

  @Test func aFlushEndsAtItsDeadline() async throws {
    shop.server.endpoint.enqueue(.stall(afterBytes: 5))
    let (outbox, _) = try await shop.run()
    var steps = outbox.transitions().makeAsyncIterator()
    try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    while let step = await steps.next(), step.to != .inTransit {}
    #expect(await outbox.flush(within: .milliseconds(1)) == false)
    #expect(try outbox.state(of: shop.cart("9"))?.state == .inTransit)
    let (idle, _) = try await TestShop().run()
    #expect(await idle.flush(within: .seconds(60)))
  }
}
