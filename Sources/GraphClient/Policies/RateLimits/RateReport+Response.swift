import GraphJSON
import GraphQLRuntime

extension Graph.RateReport {
  /// The report of a response: Shopify's `extensions.cost`, GitHub's `X-RateLimit` fields, and `Retry-After`.
  ///
  /// - Parameter maximumPause: a longer pause is not adopted: the failure is reported at once, and so are later ones.
  init(
    _ result: Result<Graph.OperationResponse, Graph.QueryError>, maximumPause: Duration,
    now: Graph.Timestamp
  ) {
    self.init()
    switch result {
    case .success(let response):
      read(response.extensions?["cost"], isRefused: response.data == nil)
      read(response.headers, now)
    case .failure(let error):
      // A request that was not sent costs nothing.
      if error.transportError?.bytesSent == false { cost = 0 }
      if let response = error.response { read(response.headers, now) }
    }
    pause = Self.pause(after: result, now: now).flatMap { $0 <= maximumPause ? $0 : nil }
  }

  private static func pause(
    after result: Result<Graph.OperationResponse, Graph.QueryError>, now: Graph.Timestamp
  ) -> Duration? {
    if case .after(let delay) = Graph.RetryDecision(result, now: now) { return delay }
    // GitHub's secondary limits. The request is not retried, since the status has other meanings as well.
    switch result {
    case .success(let response) where response.status == 403:
      return Graph.RetryAfter.delay(response.headers, now: now)
    case .failure(let error) where error.response?.status == 403:
      return error.response.flatMap { Graph.RetryAfter.delay($0.headers, now: now) }
    default: return nil
    }
  }

  private mutating func read(_ cost: JSON?, isRefused: Bool) {
    guard let cost else { return }
    // A request that was refused has no actual cost.
    self.cost =
      cost["actualQueryCost"]?.points
      ?? (isRefused && cost["requestedQueryCost"] != nil ? 0 : nil)
    let status = cost["throttleStatus"]
    guard let capacity = status?["maximumAvailable"]?.points, capacity > 0,
      let available = status?["currentlyAvailable"]?.points,
      let rate = status?["restoreRate"]?.points, rate > 0
    else { return }
    budget =
      Graph.RateBudget(capacity: capacity, available: available, refill: .perSecond(rate)).plausible
  }

  private mutating func read(_ headers: Graph.Headers, _ now: Graph.Timestamp) {
    guard budget == nil, let capacity = headers.points("X-RateLimit-Limit"), capacity > 0,
      let available = headers.points("X-RateLimit-Remaining"),
      let reset = headers.points("X-RateLimit-Reset"), reset < 1e11
    else { return }
    // The end of the window by the server's clock, which may differ from that of this machine.
    let sent = headers["Date"].flatMap { Graph.HTTPDate.secondsSince1970($0.trimmed) }
    let remaining = Duration.seconds(reset) - (sent.map { .seconds($0) } ?? now.wall)
    budget =
      Graph.RateBudget(
        capacity: capacity, available: available, refill: .after(max(remaining, .zero))
      ).plausible
  }
}

extension JSON {
  fileprivate var points: Double? {
    guard case .number(let number) = self, let value = number.double, value.isFinite,
      abs(value) < 1e12
    else { return nil }
    return value
  }
}

extension Graph.Headers {
  fileprivate func points(_ name: String) -> Double? {
    guard let value = self[name]?.trimmed, let number = UInt64(value), number < 1_000_000_000_000
    else { return nil }
    return Double(number)
  }
}
