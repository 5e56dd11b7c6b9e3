import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// The shop's mutations have no versions, so the note is used as one.
struct ConflictTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func rule(_ policy: Graph.ConflictRule.Policy) -> [String: Graph.ConflictRule] {
    ["Cart": Graph.ConflictRule(versionField: "note", policy: policy)]
  }

  /// A refusal that contains the server's version.
  private func refusal(_ version: String) -> MockFault {
    response(#"{"id":"1","note":"\#(version)"}"#, #"[{"message":"changed","code":"STALE_OBJECT"}]"#)
  }

  private func response(_ cart: String, _ errors: String = "[]") -> MockFault {
    let body = #"{"data":{"cartNoteUpdate":{"cart":\#(cart),"userErrors":\#(errors)}}}"#
    return .response(
      MockResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8)))
  }

  private func send(
    _ policy: Graph.ConflictRule.Policy, _ faults: [MockFault]
  ) async throws -> (state: Graph.OperationState?, note: String?) {
    for fault in faults { shop.server.endpoint.enqueue(fault) }
    let (outbox, store) = try await shop.run { $0.conflicts = rule(policy) }
    let id = try await outbox.queue(
      shop.note("v1", "1"), for: shop.cart("1"), optimistic: .create(["note": "mine"]))
    await outbox.flush()
    return (try outbox.state(ofOperation: id), try shop.note(of: "1", in: store))
  }

  @Test func theServerWins() async throws {
    let (state, note) = try await send(.serverWins, [refusal("v2")])
    #expect(state == .rejected && note == "v2")
    #expect(shop.server.effects.log == [])
  }

  @Test func theLocalWriteIsRetriedWithTheNewVersion() async throws {
    let (state, note) = try await send(.retryLocal, [refusal("v2"), refusal("v3")])
    #expect(state == .received && note == "v3")
    #expect(shop.server.effects.log == ["1 v3"])
  }

  @Test func theThirdConflictRejectsTheOperation() async throws {
    let (state, note) = try await send(
      .retryLocal, [refusal("v2"), refusal("v3"), refusal("v4")])
    #expect(state == .rejected && note == "v3")
    #expect(shop.server.effects.log == [])
  }

  @Test func theMergeHookProvidesNewVariables() async throws {
    let policy = Graph.ConflictRule.Policy.merge { conflict in
      #expect(conflict.current?["note"] == "v2" && conflict.name == "Note")
      return conflict.variables.replacing("v1", with: "merged")
    }
    let (state, _) = try await send(policy, [refusal("v2")])
    #expect(state == .received)
    #expect(shop.server.effects.log == ["1 merged"])
  }

  @Test func aFailedMergeRejectsTheOperation() async throws {
    let (state, note) = try await send(.merge { _ in nil }, [.status(409)])
    #expect(state == .rejected && note == nil)
  }

  @Test func aConflictWithoutARuleRejectsTheOperation() async throws {
    shop.server.endpoint.enqueue(refusal("v2"))
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(shop.note("v1", "1"), for: shop.cart("1"))
    await outbox.flush()
    #expect(try outbox.receipts().first?.reason?.code == "STALE_OBJECT")
    #expect(try outbox.state(ofOperation: id) == .rejected)
  }

  /// Two operations that were queued for one version do not conflict with each other.
  @Test func laterOperationsUseTheNewVersion() async throws {
    shop.server.endpoint.enqueue(response(#"{"id":"1","note":"v2"}"#))
    let (outbox, _) = try await shop.run {
      $0.conflicts = rule(.serverWins)
      $0.startsPaused = true
    }
    try await outbox.queue(shop.note("v1", "1"), for: shop.cart("1"))
    try await outbox.queue(shop.note("v1", "1"), for: shop.cart("1"))
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["1 v2"])
  }

  /// A changed request is another request. A server that remembers the first key must not send the
  /// first response.
  @Test func aChangedOperationHasAnotherIdempotencyKey() async throws {
    shop.server.endpoint.enqueue(refusal("v2"))
    let (outbox, _) = try await shop.run {
      $0.conflicts = rule(.retryLocal)
      $0.idempotencyHeader = "Idempotency-Key"
    }
    let id = try await outbox.queue(shop.note("v1", "1"), for: shop.cart("1"))
    await outbox.flush()
    let keys = shop.server.endpoint.requests.map { $0.http.headers["Idempotency-Key"] }
    #expect(keys == [id, "\(id)-1"])
  }
}
