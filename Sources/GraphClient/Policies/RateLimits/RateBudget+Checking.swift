import GraphQLRuntime

extension Graph.RateBudget {
  /// The longest time in which a budget of a service is expected to be full again.
  private static let longestRefill = Duration.seconds(86_400)

  /// The budget with which a limiter can count: at most full, and overdrawn by a full one at most. nil if its numbers
  /// are not finite, or it has no points.
  package var checked: Graph.RateBudget? {
    guard capacity > 0, capacity < 1e12, available.isFinite else { return nil }
    var budget = self
    budget.available = min(max(available, -capacity), capacity)
    switch refill {
    case .perSecond(let rate):
      guard rate >= 0, rate < 1e12 else { return nil }
    case .after(let remaining):
      budget.refill = .after(min(max(remaining, .zero), .seconds(1_000_000_000)))
    }
    return budget
  }

  /// nil for a budget that would delay requests for days: the report of the service is wrong, or has another meaning.
  var plausible: Graph.RateBudget? {
    switch refill {
    case .perSecond(let rate) where capacity > rate * Self.longestRefill.inSeconds: nil
    case .after(let remaining) where remaining > Self.longestRefill: nil
    default: checked
    }
  }
}

extension Double {
  /// The points of a request: not below zero, and finite.
  package var checkedCost: Double { isFinite ? Swift.min(Swift.max(self, 0), 1e12) : 0 }
}
