import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport

@testable import GraphOutbox

/// A server, and a program that writes to it and can be started repeatedly.
struct TestShop {
  let server: TestServer
  let file: URL

  init() throws {
    server = try TestServer()
    file = try TemporaryFolder().file()
  }

  /// A new run of the program: the file is opened again, even if other runs have it open.
  func run(
    client: Graph.Client? = nil, _ configure: (inout Graph.Outbox.Configuration) -> Void = { _ in }
  ) async throws -> (outbox: Graph.Outbox, store: Graph.Store) {
    // Carts are transient in the schema's table; here they are stored.
    let store = try Graph.Store(
      schema: Storefront.schema, file: file,
      configuration: .init(policies: ["Cart": Graph.TypePolicy(persistence: .persistent)]))
    var configuration = Graph.Outbox.Configuration()
    configuration.supportedOperations = ["Cart": [.save]]
    configuration.backoff = Graph.Backoff(base: .zero, maximum: .zero)
    // Other tests may keep the threads busy for that long.
    configuration.lockTimeout = .seconds(60)
    configure(&configuration)
    return (
      try await Graph.Outbox(
        store: store, client: client ?? server.client, configuration: configuration), store
    )
  }

  func cart(_ id: GraphQL.ID) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: "Cart", key: id.rawValue)
  }

  /// A mutation that the server carries out once.
  var creation: Storefront.MutationQuery {
    Storefront.buildMutation(named: "Create") {
      $0.cartCreate(idempotencyKey: Graph.Outbox.idempotencyKeyPlaceholder) {
        $0.cart { $0.id().note() }.userErrors { $0.message() }
      }
    }
  }

  func note(_ note: String, _ id: GraphQL.ID) -> Storefront.MutationQuery {
    Storefront.buildMutation(named: "Note") {
      $0.cartNoteUpdate(cartId: id, note: note) {
        $0.cart { $0.id().note() }.userErrors { $0.message().code() }
      }
    }
  }

  /// The note of a cart as readers see it.
  func note(of id: GraphQL.ID, in store: Graph.Store) throws -> String? {
    try store.object(Storefront.Cart.self, id: id)?.note
  }
}
