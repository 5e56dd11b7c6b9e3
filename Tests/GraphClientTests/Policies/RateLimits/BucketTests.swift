import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphRateLimits

struct BucketTests {
  private let leaky = Graph.RateBudget(capacity: 100, available: 100, refill: .perSecond(10))

  @Test func anUnknownBudgetDelaysNothing() {
    var bucket = Graph.Bucket(nil, now: .zero)
    for _ in 0..<100 {
      #expect(bucket.reserve(1000, within: nil, now: .zero) == .granted(after: .zero))
    }
  }

  @Test func requestsWaitForTheirPointsInOrder() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    #expect(bucket.reserve(90, within: nil, now: .zero) == .granted(after: .zero))
    #expect(bucket.reserve(60, within: nil, now: .zero) == .granted(after: .seconds(5)))
    // A cheap one does not overtake it.
    #expect(bucket.reserve(10, within: nil, now: .zero) == .granted(after: .seconds(6)))
    #expect(bucket.reserve(10, within: nil, now: .seconds(4)) == .granted(after: .seconds(3)))
  }

  @Test func aWaitThatIsTooLongTakesNothing() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    _ = bucket.reserve(100, within: nil, now: .zero)
    #expect(bucket.reserve(50, within: .seconds(4), now: .zero) == .refused(after: .seconds(5)))
    #expect(bucket.reserve(50, within: .seconds(5), now: .zero) == .granted(after: .seconds(5)))
  }

  @Test func aCostlyRequestWaitsForAFullBudget() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    _ = bucket.reserve(50, within: nil, now: .zero)
    #expect(bucket.reserve(1000, within: nil, now: .zero) == .granted(after: .seconds(5)))
  }

  @Test func theActualCostReplacesTheEstimate() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    _ = bucket.reserve(100, within: nil, now: .zero)
    bucket.settle(100, Graph.RateReport(cost: 20), now: .zero)
    #expect(bucket.reserve(80, within: nil, now: .zero) == .granted(after: .zero))
    // A request that was not sent.
    bucket.settle(80, Graph.RateReport(cost: 0), now: .zero)
    #expect(bucket.reserve(80, within: nil, now: .zero) == .granted(after: .zero))
    #expect(bucket.reserve(1, within: nil, now: .zero) == .granted(after: .milliseconds(100)))
  }

  @Test func otherProgramsReduceTheBudget() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    _ = bucket.reserve(10, within: nil, now: .zero)
    _ = bucket.reserve(10, within: nil, now: .zero)
    let told = Graph.RateBudget(capacity: 100, available: 40, refill: .perSecond(10))
    bucket.settle(10, Graph.RateReport(cost: 10, budget: told), now: .zero)
    // The second request has not ended, and the server may not have counted it.
    #expect(bucket.reserve(30, within: nil, now: .zero) == .granted(after: .zero))
    #expect(bucket.reserve(10, within: nil, now: .zero) == .granted(after: .seconds(1)))
  }

  @Test func anOvertakenResponseAddsNothing() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    _ = bucket.reserve(50, within: nil, now: .zero)
    _ = bucket.reserve(50, within: nil, now: .zero)
    bucket.settle(
      50, Graph.RateReport(budget: .init(capacity: 100, available: 0, refill: .perSecond(10))),
      now: .zero)
    bucket.settle(
      50, Graph.RateReport(budget: .init(capacity: 100, available: 50, refill: .perSecond(10))),
      now: .zero)
    #expect(bucket.reserve(10, within: nil, now: .zero) != .granted(after: .zero))
  }

  /// The services that do not tell the actual cost tell what is left.
  @Test func aCostThatWasEstimatedTooHighComesBack() {
    let window = Graph.RateBudget(capacity: 100, available: 100, refill: .after(.seconds(60)))
    var bucket = Graph.Bucket(window, now: .zero)
    for number in 1...50 {
      let id = UInt64(number)
      #expect(bucket.reserve(10, id: id, within: nil, now: .zero) == .granted(after: .zero))
      let told = Graph.RateBudget(
        capacity: 100, available: Double(100 - number), refill: .after(.seconds(60)))
      bucket.settle(10, Graph.RateReport(budget: told), id: id, now: .zero)
    }
  }

  @Test func requestsInProgressAreNotCountedTwiceAfterTheirResponses() {
    var bucket = Graph.Bucket(leaky, now: .zero)
    _ = bucket.reserve(30, id: 1, within: nil, now: .zero)
    _ = bucket.reserve(30, id: 2, within: nil, now: .zero)
    // The server has counted both, and the first response was overtaken.
    bucket.settle(30, told(40), id: 2, now: .zero)
    bucket.settle(30, told(70), id: 1, now: .zero)
    #expect(bucket.reserve(40, id: 3, within: nil, now: .zero) == .granted(after: .zero))
    #expect(
      bucket.reserve(1, id: 4, within: nil, now: .zero) == .granted(after: .milliseconds(100)))
  }

  private func told(_ available: Double) -> Graph.RateReport {
    Graph.RateReport(
      cost: 30, budget: .init(capacity: 100, available: available, refill: .perSecond(10)))
  }

  @Test func aWindowIsFullAtItsEnd() {
    let window = Graph.RateBudget(capacity: 10, available: 2, refill: .after(.seconds(60)))
    var bucket = Graph.Bucket(window, now: .zero)
    _ = bucket.reserve(2, within: nil, now: .zero)
    #expect(bucket.reserve(1, within: nil, now: .seconds(20)) == .granted(after: .seconds(40)))
    // The next window has what was not reserved of it already.
    #expect(bucket.reserve(9, within: nil, now: .seconds(60)) == .granted(after: .zero))
    #expect(bucket.reserve(1, within: nil, now: .seconds(60)) == .granted(after: .seconds(3600)))
  }

  /// The server's clock is ahead of this machine's, or the window is shorter than an hour.
  @Test func aLaterWindowReplacesTheKnownOne() {
    let window = Graph.RateBudget(capacity: 10, available: 1, refill: .after(.seconds(60)))
    var bucket = Graph.Bucket(window, now: .zero)
    _ = bucket.reserve(1, within: nil, now: .zero)
    bucket.settle(
      1,
      Graph.RateReport(budget: .init(capacity: 10, available: 9, refill: .after(.seconds(3600)))),
      now: .seconds(58))
    #expect(bucket.reserve(9, within: nil, now: .seconds(58)) == .granted(after: .zero))
    // The same window, from a response that was overtaken.
    bucket.settle(
      9,
      Graph.RateReport(budget: .init(capacity: 10, available: 9, refill: .after(.seconds(3599)))),
      now: .seconds(59))
    #expect(bucket.reserve(1, within: nil, now: .seconds(59)) == .granted(after: .seconds(3599)))
  }

  @Test func aPauseDelaysAll() {
    var bucket = Graph.Bucket(nil, now: .zero)
    bucket.settle(1, Graph.RateReport(pause: .seconds(7)), now: .zero)
    bucket.settle(1, Graph.RateReport(pause: .seconds(3)), now: .zero)
    #expect(bucket.reserve(1, within: nil, now: .seconds(2)) == .granted(after: .seconds(5)))
    #expect(bucket.reserve(1, within: nil, now: .seconds(8)) == .granted(after: .zero))
  }

  /// A server with the same rules refuses none of 2,000 random requests, and each of them is sent in the end.
  @Test(arguments: 0..<50)
  func aServerRefusesNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let capacity = Double(Int.random(in: 50...2000, using: &random))
    let rate = Double(Int.random(in: 1...100, using: &random))
    let budget = Graph.RateBudget(capacity: capacity, available: capacity, refill: .perSecond(rate))
    var bucket = Graph.Bucket(budget, now: .zero)
    var now = Duration.zero
    var sent: [(at: Duration, cost: Double, estimate: Double)] = []
    for _ in 0..<40 {
      now += .milliseconds(Int.random(in: 0...2000, using: &random))
      let estimate = Double(Int.random(in: 1...Int(capacity), using: &random))
      let cost = (estimate * Double.random(in: 0.1...1, using: &random)).rounded(.up)
      guard case .granted(let wait) = bucket.reserve(estimate, within: nil, now: now) else {
        Issue.record("refused")
        return
      }
      sent.append((now + wait, cost, estimate))
      // Some responses arrive at once, the others never.
      if wait == .zero, Bool.random(using: &random) {
        bucket.settle(estimate, Graph.RateReport(cost: cost), now: now)
      }
    }
    var available = capacity
    var last = Duration.zero
    for request in sent.sorted(by: { $0.at < $1.at }) {
      available = min(capacity, available + rate * (request.at - last).inSeconds)
      last = request.at
      #expect(available >= request.cost - 0.001)
      available -= request.cost
    }
  }
}
