import GraphClient
import GraphQLRuntime

extension Graph {
  /// A limiter for the processes of a service, which spend the budget of each token together.
  ///
  /// ```swift
  /// let valkey = try Graph.Valkey(.init(.host("cache.internal"), namespace: "shop"))
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.rateLimiter = Graph.ValkeyRateLimiter(valkey)
  /// ```
  ///
  /// The points are on the server, with the rules of `Graph.BudgetLimiter`: requests get them in the order in which they
  /// ask, whichever process they are from, and a pause that the service requests from one process delays all.
  ///
  /// If the server cannot be reached or is too slow, each process continues with a budget of its own. Then the service may
  /// refuse requests, which are retried as without a limiter. The server keeps a budget for a day after its last request.
  public final class ValkeyRateLimiter: RateLimiter {
    private let valkey: Valkey
    private let budget: RateBudget?
    /// Knows only this process. It has all reservations of this process, so that it can take over at any time.
    private let own: BudgetLimiter

    /// A limiter whose budgets are on a server.
    ///
    /// - Parameter budget: that of each token before the first response; nil if it is unknown.
    public init(_ valkey: Valkey, budget: RateBudget? = nil) {
      self.valkey = valkey
      self.budget = budget
      own = BudgetLimiter(budget: budget)
    }

    /// Takes one round trip.
    public func reserve(_ request: RateRequest, within limit: Duration?) async -> RateReservation {
      let shared = try? await sharedReservation(request, within: limit)
      switch shared?.reservation {
      case .refused(let wait): return .refused(after: wait)
      case .granted(let wait) where shared?.isKnown == true:
        _ = await own.reserve(request, within: nil)
        return .granted(after: wait)
      case .granted, nil:
        // The server has failed, or has lost its data; it may have reserved the points even so.
        let reservation = await own.reserve(request, within: limit)
        if case .refused = reservation { await settleShared(request, RateReport(cost: 0)) }
        return reservation
      }
    }

    /// Takes one round trip.
    public func pause(for request: RateRequest) async -> Duration {
      let (shard, keys) = server(for: request)
      let shared = try? await shard.evaluate(RateLimitScripts.pause, keys: [keys[0]], [])
      // The server may not have been reached when this process had to pause.
      return max(.milliseconds(shared?.integer ?? 0), await own.pause(for: request))
    }

    /// Takes one round trip.
    public func settle(_ request: RateRequest, _ report: RateReport) async {
      await own.settle(request, report)
      await settleShared(request, report)
    }

    private func sharedReservation(
      _ request: RateRequest, within limit: Duration?
    ) async throws(ValkeyError) -> (reservation: RateReservation, isKnown: Bool) {
      let (shard, keys) = server(for: request)
      let value = try await shard.evaluate(
        RateLimitScripts.reserve, keys: keys,
        [
          .init(text: "\(request.cost.checkedCost)"),
          .init(text: limit.map { "\($0.milliseconds)" } ?? ""),
        ]
          + arguments(of: budget))
      guard let fields = value.array?.compactMap(\.integer), fields.count == 3 else {
        throw ValkeyError(.invalidResponse, message: "the limiter's script has another value")
      }
      let wait = Duration.milliseconds(fields[1])
      return (fields[0] == 1 ? .granted(after: wait) : .refused(after: wait), fields[2] == 1)
    }

    private func settleShared(_ request: RateRequest, _ report: RateReport) async {
      let arguments: [[UInt8]] =
        [
          .init(text: "\(request.cost.checkedCost)"),
          .init(text: report.cost.map { "\($0.checkedCost)" } ?? ""),
        ]
        + arguments(of: report.budget)
        + [.init(text: report.pause.map { "\($0.milliseconds)" } ?? "")]
      let (shard, keys) = server(for: request)
      // The task may be cancelled, and others need the points even so.
      await Task {
        _ = try? await shard.evaluate(RateLimitScripts.settle, keys: keys, arguments)
      }.value
    }

    private func server(for request: RateRequest) -> (shard: ValkeyShard, keys: [String]) {
      let shard = valkey.shards.shard(ofBudget: request.scope)
      return (shard, [shard.keys.budget(request.scope), shard.keys.reservation(request)])
    }

    /// The capacity, the available points, the rate and the rest of the window.
    private func arguments(of budget: RateBudget?) -> [[UInt8]] {
      guard let budget = budget?.checked else { return Array(repeating: [], count: 4) }
      let refill: [String] =
        switch budget.refill {
        case .perSecond(let rate): ["\(rate)", ""]
        case .after(let remaining): ["", "\(remaining.milliseconds)"]
        }
      return (["\(budget.capacity)", "\(budget.available)"] + refill).map { .init(text: $0) }
    }
  }
}

extension Duration {
  /// Rounded down, and not below zero.
  fileprivate var milliseconds: Int64 { max(0, nanoseconds / 1_000_000) }
}
