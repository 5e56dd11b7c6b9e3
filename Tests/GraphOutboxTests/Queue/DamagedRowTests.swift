import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// A row of the queue that cannot be read any more is set aside, and the others continue.
@Suite(.timeLimit(.minutes(1)))
struct DamagedRowTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private static let damages = [
    "entity = 'nothing'", "variables = '{\"note1\":\"the words'", "variables = '[\"the words\"]'",
    "document = ''",
  ]

  private func damage(_ change: String, _ id: String, in store: Graph.Store) async throws {
    try await store.write {
      _ = try $0.execute("UPDATE outbox_operation SET \(change) WHERE id = ?1", [.text(id)])
    }
  }

  private func expectSetAside(_ id: String, in outbox: Graph.Outbox) throws {
    let receipt = try #require(try outbox.receipts().first { $0.operation == id })
    #expect(receipt.state == .rejected && receipt.reason?.code == "damaged")
    #expect(receipt.variables?.description.contains("the words") == true)
  }

  @Test(arguments: damages.indices, [false, true])
  func aDamagedRowDoesNotBlockOtherOperations(damage index: Int, isReopened: Bool) async throws {
    var (outbox, store) = try await shop.run { $0.startsPaused = true }
    let damaged = try await outbox.queue(shop.note("the words", "1"), for: shop.cart("1"))
    let later = try await outbox.queue(shop.note("b", "1"), for: shop.cart("1"))
    let other = try await outbox.queue(shop.note("c", "2"), for: shop.cart("2"))
    try await damage(Self.damages[index], damaged, in: store)
    if isReopened {
      await outbox.close()
      (outbox, store) = try await shop.run { $0.startsPaused = true }
    }
    await outbox.resume()
    await outbox.flush()
    #expect(try outbox.state(ofOperation: later) == .received)
    #expect(try outbox.state(ofOperation: other) == .received)
    #expect(Set(shop.server.effects.log) == ["1 b", "2 c"])
    try expectSetAside(damaged, in: outbox)
  }

  /// A state that no queued operation has. It gives no information on whether the operation was
  /// carried out.
  @Test(arguments: ["penbing", "received"])
  func rejectsARowWithAnInvalidState(state: String) async throws {
    let (first, store) = try await shop.run { $0.startsPaused = true }
    let damaged = try await first.queue(shop.note("the words", "1"), for: shop.cart("1"))
    try await first.queue(shop.note("b", "1"), for: shop.cart("1"))
    try await damage("state = '\(state)'", damaged, in: store)
    await first.close()
    let (outbox, _) = try await shop.run()
    await outbox.flush()
    #expect(shop.server.effects.log == ["1 b"])
    try expectSetAside(damaged, in: outbox)
  }

  @Test func aLogoutReportsTheReadablePartsOfDamagedRows() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let first = try await outbox.queue(shop.note("the words", "1"), for: shop.cart("1"))
    let second = try await outbox.queue(shop.note("the words", "2"), for: shop.cart("2"))
    try await damage("entity = 'nothing'", first, in: store)
    try await damage("variables = '{\"note1\":\"the words'", second, in: store)
    let unsent = try await store.logout().unsent
    #expect(unsent.map(\.id) == [first, second])
    #expect(unsent.allSatisfy { $0.variables.description.contains("the words") })
  }

  /// A damaged row does not prevent other operations, which have to change it, from ending.
  @Test func aDamagedRowDoesNotBlockAKeyReplacement() async throws {
    let id = Graph.TemporaryKey.make()
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await outbox.queue(shop.creation, for: shop.cart(id))
    let damaged = try await outbox.queue(shop.note("the words", id), for: shop.cart(id))
    let later = try await outbox.queue(shop.note("b", id), for: shop.cart(id))
    try await damage("variables = '{\"note1\":\"the words'", damaged, in: store)
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["create gid://Cart/1", "gid://Cart/1 b"])
    #expect(try outbox.state(ofOperation: later) == .received)
    try expectSetAside(damaged, in: outbox)
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.requeue(damaged)
    }
    #expect(error?.code == .invalidMutation)
  }
}
