import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The end of queued operations at a logout.
struct OutboxLogoutTests {
  private let server: TestServer
  private let store: Graph.Store
  private let file: URL

  init() throws {
    server = try TestServer()
    file = try TemporaryFolder().file()
    store = try Graph.Store(schema: Storefront.schema, file: file)
  }

  private func outbox() async throws -> Graph.Outbox {
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    return try await Graph.Outbox(store: store, client: server.client, configuration: configuration)
  }

  private let cart = GraphQL.EntityKey(typeName: "Cart", key: "gid://Cart/1")

  private func note(_ note: String) -> Storefront.MutationQuery {
    Storefront.buildMutation(named: "Note") {
      $0.cartNoteUpdate(cartId: "gid://Cart/1", note: note) { $0.cart { $0.id().note() } }
    }
  }

  @Test func logoutReportsAndCancelsUnsentOperations() async throws {
    let outbox = try await outbox()
    var transitions = outbox.transitions().makeAsyncIterator()
    let first = try await outbox.queue(note("a"), for: cart)
    let second = try await outbox.queue(note("b"), for: cart)
    _ = await transitions.next()
    _ = await transitions.next()
    let report = try await store.logout()
    #expect(report.unsent.map(\.id) == [first, second])
    #expect(report.unsent.map(\.name) == ["Note", "Note"])
    #expect(report.unsent.map(\.entity) == [cart, cart])
    #expect(report.unsent.map(\.state) == ["pending", "pending"])
    let received = [await transitions.next(), await transitions.next()]
    #expect(received.map { $0?.operation } == [first, second])
    #expect(received.allSatisfy { $0?.to == .cancelled && $0?.reason?.code == "loggedOut" })
    await outbox.resume()
    await outbox.flush()
    #expect(server.effects.log == [])
    // The next user's operation is sent.
    let third = try await outbox.queue(note("c"), for: cart)
    await outbox.flush()
    #expect(server.effects.log == ["gid://Cart/1 c"])
    #expect(try await store.logout().unsent.map(\.id) != [third])
  }

  @Test func logoutWithoutAnOutboxDeletesTheQueue() async throws {
    do { _ = try await outbox().queue(note("a"), for: cart) }
    let other = try Graph.Store(schema: Storefront.schema, file: file)
    #expect(try await other.logout().unsent.count == 1)
    #expect(try await other.logout().unsent == [])
  }

  @Test func aLogoutOfEverythingDeletesTheQueue() async throws {
    let outbox = try await outbox()
    try await outbox.queue(note("a"), for: cart)
    try await store.logout(.everything)
    await outbox.resume()
    await outbox.flush()
    #expect(server.effects.log == [])
  }

  /// A response that arrives after a logout changes nothing.
  @Test func aResponseAfterALogoutIsDropped() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    #expect(try await queue.claim() == "a")
    let operation = try await queue.write { try $0.operation(id: "a") }
    let onItsWay = try #require(operation)
    try await queue.store.logout()
    try await queue.write { try $0.settle(onItsWay, .deliver, response: "{}") }
    #expect(try queue.states() == [])
  }

  /// The user logs out in another store, as in another process, after an operation was taken to be
  /// sent and before its files are read.
  @Test func anOperationThatALogoutHasDeletedIsNotSent() async throws {
    let test = try await TestQueue()
    try await test.enqueue("a", "Cart:1")
    let operation = try await test.write { try require($0.claim()) }
    let queue = OutboxQueue(store: test.store, configuration: Graph.Outbox.Configuration())
    #expect(try await queue.read { try $0.files(toSendWith: operation) }.isEmpty)
    try await Graph.Store(schema: Storefront.schema, file: test.file).logout()
    let error = await #expect(throws: Graph.OutboxError.self) {
      _ = try await queue.read { try $0.files(toSendWith: operation) }
    }
    #expect(error?.code == .unknownOperation)
  }

  /// A write that was requested before a logout, and is queued after it, is not in the next user's
  /// queue.
  @Test func anOperationOfAnEarlierUserIsNotQueued() async throws {
    let outbox = try await outbox()
    let submission = try outbox.submission(note("a"), .mutation, cart, nil, false)
    try await store.logout()
    await #expect(throws: GraphQL.StaleGeneration.self) { try await outbox.enqueue(submission) }
    #expect(try outbox.summary().count == 0)
  }

  /// A user who logs in while the token is requested does not send the operations of the previous
  /// user.
  @Test func anOperationIsNotSentWithAnothersToken() async throws {
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!,
      headers: { [store] in
        try await store.logout()
        return ["Authorization": "the next user's"]
      }, transport: server.endpoint)
    let outbox = try await Graph.Outbox(store: store, client: client)
    try await outbox.queue(note("a"), for: cart)
    await outbox.flush()
    #expect(server.endpoint.requests.isEmpty)
    #expect(try outbox.summary().count == 0)
  }
}
