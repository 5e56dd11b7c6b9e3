import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// An error whose code the outbox does not know.
struct UnknownErrorTests {
  /// Fails after the server has carried out the operation.
  private struct Failing: Graph.Interceptor {
    func intercept(
      _ request: Graph.OperationRequest, next: Next
    ) async throws -> Graph.OperationResponse {
      _ = try await next(request)
      throw Graph.QueryError(Graph.QueryError.Code("audit"), message: "the log is full")
    }
  }

  @Test func anOperationWithAnUnknownErrorIsNotRetried() async throws {
    let shop = try TestShop()
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: shop.server.endpoint,
      interceptors: [Failing()])
    let (outbox, _) = try await shop.run(client: client)
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .uncertain)
    let state = try outbox.state(of: shop.cart("9"))
    #expect(state?.reason?.message == "audit: the log is full")
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 ring"])
  }
}
