import GraphJSON
import GraphQLRuntime
import GraphRateLimits
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient

/// The costs that a client reserves for its requests.
struct CostEstimatesTests {
  /// Allows all requests, and records what they are expected to cost.
  private final class RecordingLimiter: Graph.RateLimiter {
    private let state = Locked<[Double]>([])

    var costs: [Double] { state.withLock { $0 } }

    func reserve(
      _ request: Graph.RateRequest, within limit: Duration?
    ) async -> Graph.RateReservation {
      state.withLock { $0.append(request.cost) }
      return .granted(after: .zero)
    }

    func settle(_ request: Graph.RateRequest, _ report: Graph.RateReport) async {}
  }

  private func query(_ count: Int) -> Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.products(first: count) { $0.nodes { $0.title() } } }
  }

  private func costs(
    _ rules: Graph.CostRules, _ counts: [Int], requested: Double? = nil
  ) async throws -> [Double] {
    try await costs(
      rules, counts, extensions: requested.map { #"{"cost":{"requestedQueryCost":\#($0)}}"# })
  }

  private func costs(
    _ rules: Graph.CostRules, _ counts: [Int], extensions: String?
  ) async throws -> [Double] {
    let limiter = RecordingLimiter()
    let cost = extensions.map { #","extensions":\#($0)"# } ?? ""
    let transport = ScriptedTransport { _ in
      .json(#"{"data":{"products":{"nodes":[]}}\#(cost)}"#)
    }
    let client = Graph.Client.test(transport) {
      $0.rateLimiter = limiter
      $0.costRules = rules
    }
    for count in counts { _ = try await client.query(query(count)).requireData() }
    return limiter.costs
  }

  @Test func theDocumentDeterminesTheCostOfTheFirstRequest() async throws {
    #expect(try await costs(.shopify, [10, 250]) == [12, 252])
    #expect(try await costs(.gitHub, [10]) == [1])
    #expect(try await costs(.learned, [10]) == [1])
  }

  @Test func responsesCorrectTheEstimate() async throws {
    // The same variables cost the same; others as much more as the rules tell.
    #expect(try await costs(.shopify, [10, 10, 22], requested: 6) == [12, 6, 12])
    #expect(try await costs(.learned, [10, 10, 22], requested: 6) == [1, 6, 6])
  }

  @Test func theCostsOfHotChocolateAreRead() async throws {
    let reported = #"{"operationCost":{"fieldCost":12,"typeCost":34}}"#
    #expect(try await costs(.fieldCost, [10, 10], extensions: reported) == [2, 12])
    #expect(try await costs(.typeCost, [10, 10], extensions: reported) == [3, 34])
    #expect(try await costs(.shopify, [10, 10], extensions: reported) == [12, 12])
  }

  @Test func aCorrectionIsBounded() async throws {
    #expect(try await costs(.shopify, [98, 8], requested: 0) == [100, 0.1])
    #expect(try await costs(.shopify, [8, 3], requested: 1e9) == [10, 500])
  }

  @Test func anEstimateIsAtMostWhatAServiceAllows() async throws {
    #expect(try await costs(.shopify, [5000]) == [1000])
    var rules = Graph.CostRules.shopify
    rules.maximumCost = 100
    #expect(try await costs(rules, [5000]) == [100])
  }

  @Test func aDocumentWithoutASchemaIsLearned() {
    var rules = Graph.CostRules.shopify
    rules.initialCost = 7
    let request = Graph.OperationRequest(
      GraphQL.Operation<GraphQL.AbstractResponse>(
        kind: .query, name: nil, document: "{shop{name}}", variables: Array("{}".utf8)))
    #expect(Graph.CostEstimates(rules: rules).estimate(request) == 7)
  }
}
