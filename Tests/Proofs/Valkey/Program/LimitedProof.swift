import Foundation
import GraphClient
import GraphQLRuntime
import GraphRateLimits
import GraphValkey
import StorefrontAPI

/// One of several processes with the same token. Prints how many of its requests failed, and the longest time of one in
/// milliseconds.
struct LimitedProof {
  let server: Graph.ValkeyConfiguration.Topology
  let endpoint: String
  /// `none`, `memory` or `shared`.
  let kind: String
  let requests: Int

  func run() async throws {
    guard let url = URL(string: endpoint) else { fail("no address") }
    var configuration = Graph.ClientConfiguration()
    configuration.costRules.initialCost = 10
    // Without a shared limiter, the standard four attempts are often too few.
    configuration.retryPolicy.maximumAttempts = 20
    let budget = Graph.RateBudget(capacity: 200, available: 200, refill: .perSecond(200))
    switch kind {
    case "memory": configuration.rateLimiter = Graph.BudgetLimiter(budget: budget)
    case "shared":
      let valkey = try connect(server, timeout: .milliseconds(250))
      try await valkey.ping()
      configuration.rateLimiter = Graph.ValkeyRateLimiter(valkey, budget: budget)
    default: break
    }
    let client = Graph.Client(
      endpoint: url, headers: ["Authorization": "one token"], configuration: configuration)
    print("ready")
    fflush(nil)
    _ = readLine()
    let count = Locked(0)
    let next: @Sendable () -> Int? = {
      count.withLock { count in
        count += 1
        return count <= requests ? count : nil
      }
    }
    let (failures, longest) = await withTaskGroup(of: (Int, Duration).self) { group in
      for _ in 0..<8 {
        group.addTask {
          var failures = 0
          var longest = Duration.zero
          while let number = next() {
            // Equal queries would share a request.
            let query = Storefront.buildQuery(named: "Shop\(number)") { $0.shop { $0.name() } }
            let start = ContinuousClock.now
            let response = try? await client.query(query)
            if response?.data?.shop.name != "one" { failures += 1 }
            longest = max(longest, ContinuousClock.now - start)
          }
          return (failures, longest)
        }
      }
      return await group.reduce((0, .zero)) { ($0.0 + $1.0, max($0.1, $1.1)) }
    }
    print(failures, Int(longest / .milliseconds(1)))
  }
}
