import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// A step that hangs before a request is sent does not occupy a slot.
@Suite(.timeLimit(.minutes(2)))
struct HangingTokenTests {
  /// A token request that hangs the first time, and ignores cancellation.
  private func token(_ count: Locked<Int>) async -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number == 1 { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    return "token \(number)"
  }

  @Test(arguments: [false, true])
  func aHangingTokenRequestReleasesItsSlot(isRefresher: Bool) async throws {
    let shop = try TestShop()
    let store = try Graph.Store(
      schema: Storefront.schema, file: shop.file,
      configuration: .init(policies: ["Cart": Graph.TypePolicy(persistence: .persistent)]))
    let count = Locked(0)
    let url = try #require(URL(string: "https://shop.example/graphql"))
    var settings = Graph.ClientConfiguration()
    settings.preparationTimeout = isRefresher ? nil : .milliseconds(50)
    let refresher = Graph.TokenRefresher(refreshTimeout: .milliseconds(50)) {
      await token(count)
    }
    let client = Graph.Client(
      endpoint: url, headers: { isRefresher ? [:] : ["Authorization": await token(count)] },
      transport: shop.server.endpoint, interceptors: isRefresher ? [refresher] : [],
      configuration: settings)
    var configuration = Graph.Outbox.Configuration()
    configuration.concurrentOperations = 1
    configuration.backoff = Graph.Backoff(base: .zero, maximum: .zero)
    let outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
    let id = try await outbox.queue(
      shop.note("ring", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    await outbox.flush()
    // The timeout came before sending, so the outcome is certain.
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["gid://Cart/9 ring"])
  }
}
