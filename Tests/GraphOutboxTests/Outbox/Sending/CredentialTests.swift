import Dispatch
import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// Tokens that are unavailable for a while, and tokens that are refused.
struct CredentialTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  /// Returns one result per refresh; the last one is repeated.
  private final class Login: Sendable {
    let responses: Locked<[Result<String, any Error>]>
    let count = Locked(0)

    init(_ responses: [Result<String, any Error>]) { self.responses = Locked(responses) }

    func token() throws -> String {
      count.withLock { $0 += 1 }
      return try responses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
    }
  }

  private func refresher(_ login: Login, token: String?) -> Graph.TokenRefresher {
    Graph.TokenRefresher(token: token) { try login.token() }
  }

  private func client(_ refresher: Graph.TokenRefresher) -> Graph.Client {
    Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: shop.server.endpoint,
      interceptors: [refresher])
  }

  private static let failures: [any Error] = [
    Graph.TransportError(.cannotConnect, message: "nobody listens"),
    Graph.TransportError(.connectionLost, message: "lost", bytesSent: true),
    Graph.QueryError(
      .transport, message: "m",
      cause: Graph.TransportError(.timedOut, message: "m", bytesSent: true)),
    Graph.QueryError(.status, message: "m", response: Graph.FailedResponse(status: 503)),
    Graph.QueryError(.status, message: "m", response: Graph.FailedResponse(status: 429)),
    Graph.QueryError(Graph.QueryError.Code("mine"), message: "m"),
    URLError(.notConnectedToInternet),
  ]

  /// With a token that the server refuses, or without a token.
  @Test(arguments: failures.indices, [true, false])
  func aFailedTokenRefreshIsRetried(_ index: Int, hasToken: Bool) async throws {
    if hasToken { for _ in 1...4 { shop.server.endpoint.enqueue(.status(401)) } }
    let failure = Result<String, any Error>.failure(Self.failures[index])
    let login = Login([failure, failure, failure, .success("fresh")])
    let (outbox, _) = try await shop.run(
      client: client(refresher(login, token: hasToken ? "old" : nil)))
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["9 ring"])
    #expect(login.count.withLock { $0 } == 4)
  }

  private static let refusals: [any Error] = [
    Graph.QueryError(.status, message: "m", response: Graph.FailedResponse(status: 400)),
    Graph.QueryError(.status, message: "m", response: Graph.FailedResponse(status: 401)),
    Graph.QueryError(
      .responseErrors, message: "m",
      errors: [GraphQL.ResponseError(message: "no", extensions: ["code": "UNAUTHENTICATED"])]),
    Graph.QueryError(.noCredentials, message: "m"),
    Graph.QueryError(.unauthenticated, message: "logged out"),
  ]

  /// The user logs in again in another part of the program.
  @Test(.timeLimit(.minutes(2)), arguments: refusals.indices, [true, false])
  func anOperationAwaitsCredentialsUntilARefreshSucceeds(_ index: Int, hasToken: Bool) async throws
  {
    if hasToken { shop.server.endpoint.enqueue(.status(401)) }
    let login = Login([.failure(Self.refusals[index]), .success("fresh")])
    let client = client(refresher(login, token: hasToken ? "old" : nil))
    let (outbox, _) = try await shop.run(client: client) {
      $0.backoff = Graph.Backoff(base: .milliseconds(1), maximum: .milliseconds(1))
    }
    var steps = outbox.transitions().makeAsyncIterator()
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .awaitingCredentials)
    if hasToken { shop.server.endpoint.enqueue(.status(401)) }
    _ = try await client.query(Storefront.buildQuery { $0.shop { $0.name() } }).requireData()
    while let step = await steps.next(), !step.to.isFinal {}
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["9 ring"])
  }

  /// A server that refuses every token does not get requests without end.
  @Test func anOperationAwaitsCredentialsIfANewTokenIsRefused() async throws {
    for _ in 1...20 { shop.server.endpoint.enqueue(.status(401)) }
    let login = Login([.success("fresh")])
    let (outbox, _) = try await shop.run(client: client(refresher(login, token: "old")))
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .awaitingCredentials)
    #expect(shop.server.endpoint.requests.count <= 6)
  }

  /// A token that arrives while an operation is being parked.
  @Test func aTokenRenewedDuringTheRequestCausesARetry() {
    let classifier = OutcomeClassifier()
    #expect(classifier.outcomeOfRefusedCredentials(nil) == .unauthenticated())
    #expect(classifier.outcomeOfRefusedCredentials(.refused) == .unauthenticated())
    #expect(classifier.outcomeOfRefusedCredentials(.good) == .unauthenticated(isRenewed: true))
    let decider = AttemptDecider(backoff: Graph.Backoff(base: .seconds(1), maximum: .seconds(1)))
    var refusals = RefusalCount()
    for _ in 1...2 {
      let decision = decider.decision(
        on: .unauthenticated(isRenewed: true), attempts: 1, refusals: refusals, isRepeatable: false,
        random: 1)
      guard case .retry(.seconds(1), let counted, _) = decision else {
        Issue.record("\(decision)")
        return
      }
      refusals = counted
    }
    #expect(
      decider.decision(
        on: .unauthenticated(isRenewed: true), attempts: 1, refusals: refusals, isRepeatable: false,
        random: 1) == .awaitCredentials)
  }

  /// Two operations are refused, the second one while the first one is released.
  @Test(.timeLimit(.minutes(1)))
  func aRefusalDuringARenewalRequiresAnotherRenewal() async throws {
    for _ in 1...2 { shop.server.endpoint.enqueue(.status(401)) }
    let gate = AsyncStream.makeStream(of: Void.self)
    let isSecondSent = AsyncStream.makeStream(of: Void.self)
    let requests = Locked(0)
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!,
      headers: {
        let number = requests.withLock { requests in
          requests += 1
          return requests
        }
        // If the first one were refused earlier, the second one would wait for credentials unsent.
        if number == 1 { for await _ in isSecondSent.stream { break } }
        if number == 2 {
          isSecondSent.continuation.finish()
          for await _ in gate.stream { break }
        }
        return [:]
      }, transport: shop.server.endpoint)
    let (outbox, store) = try await shop.run(client: client)
    let sender = outbox.sender
    let ids = [
      try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9")),
      try await outbox.queue(shop.note("ring", "8"), for: shop.cart("8")),
    ]
    func awaitingCredentials() throws -> Int {
      try ids.count { try outbox.state(ofOperation: $0) == .awaitingCredentials }
    }
    try await wait { try requests.withLock { $0 } == 2 && awaitingCredentials() == 1 }
    // Nothing is written for a while.
    let (isHeld, end) = (Locked(false), DispatchSemaphore(value: 0))
    let holding = Task {
      try await store.write { _ in
        isHeld.withLock { $0 = true }
        end.wait()
      }
    }
    try await wait { isHeld.withLock { $0 } }
    let renewal = Task { try await sender.renewCredentials() }
    try await wait { await !sender.needsCredentials }
    gate.continuation.finish()
    try await wait { await sender.needsCredentials }
    end.signal()
    _ = try await (holding.value, renewal.value)
    #expect(await sender.needsCredentials)
    try await wait { try awaitingCredentials() > 0 }
    try await sender.renewCredentials()
    await outbox.flush()
    #expect(try ids.map { try outbox.state(ofOperation: $0) } == [.received, .received])
  }
}
