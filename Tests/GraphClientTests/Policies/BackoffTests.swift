import GraphQLRuntime
import Testing

@testable import GraphClient

struct BackoffTests {
  @Test func theLimitDoublesUpToTheMaximum() {
    let backoff = Graph.Backoff(base: .seconds(1), maximum: .seconds(60))
    let delays = (0...8).map { backoff.delay(after: $0, random: 1) }
    #expect(delays == [1, 1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(backoff.delay(after: .max, random: 1) == .seconds(60))
    #expect(backoff.delay(after: .min, random: 1) == .seconds(1))
  }

  @Test func delayHasFullJitter() {
    let backoff = Graph.Backoff(base: .milliseconds(500), maximum: .seconds(30))
    #expect(backoff.delay(after: 4, random: 0) == .zero)
    #expect(backoff.delay(after: 3, random: 0.25) == .milliseconds(500))
  }

  @Test func aRequestedDelayIsNeverShortened() {
    let backoff = Graph.Backoff(base: .seconds(1), maximum: .seconds(60))
    #expect(backoff.delay(requested: .seconds(90), random: 0) == .seconds(90))
    #expect(backoff.delay(requested: .seconds(90), random: 0.5) == .milliseconds(90_500))
  }

  @Test func theMaximumAppliesToTheBaseToo() {
    let backoff = Graph.Backoff(base: .seconds(9), maximum: .seconds(2))
    #expect(backoff.delay(after: 1, random: 1) == .seconds(2))
    #expect(backoff.delay(requested: .seconds(5), random: 1) == .seconds(7))
    #expect(Graph.Backoff(base: .zero, maximum: .zero).delay(after: .max, random: 1) == .zero)
  }

  @Test func extremeDurationsDoNotOverflow() {
    let longest = Duration.seconds(Int64.max)
    let backoff = Graph.Backoff(base: .seconds(1), maximum: longest)
    #expect(backoff.delay(after: .max, random: 0.5) > .seconds(Int64.max / 4))
    let long = Graph.Backoff(base: longest, maximum: longest)
    #expect(long.delay(after: .max, random: 0.5) > .seconds(Int64.max / 4))
  }
}

/// The delay of a retry policy after each outcome of an attempt.
struct RetryDelayTests {
  private let policy = Graph.RetryPolicy(
    maximumAttempts: 4, backoff: Graph.Backoff(base: .seconds(1), maximum: .seconds(5)),
    maximumServerDelay: .seconds(120))
  private let time = ManualTime()

  @Test func delayDependsOnTheRetryDecision() {
    for (attempt, seconds) in [(1, 1), (2, 2), (3, 4), (4, 5)] {
      #expect(policy.delay(.backOff, after: attempt, time: time) == .seconds(seconds))
      #expect(policy.delay(.after(.seconds(7)), after: attempt, time: time) == .seconds(8))
      #expect(policy.delay(.after(.seconds(120)), after: attempt, time: time) == .seconds(121))
      #expect(policy.delay(.after(.seconds(121)), after: attempt, time: time) == nil)
      #expect(policy.delay(.done, after: attempt, time: time) == nil)
    }
  }

  @Test func computesDelaysOfWebSocketFailures() {
    func delay(_ error: Graph.QueryError, _ failures: Int) -> Duration? {
      policy.connectionDelay(error, failures: failures, time: time)
    }
    func busy(_ delay: String) -> Graph.QueryError {
      .status(Graph.FailedResponse(status: 503, headers: ["Retry-After": delay]))
    }
    for code in [Graph.TransportError.Code.connectionLost, .cannotConnect, .timedOut] {
      let lost = Graph.QueryError(Graph.TransportError(code, message: ""))
      #expect((1...4).map { delay(lost, $0) } == [.seconds(1), .seconds(2), .seconds(4), nil])
    }
    #expect((1...4).map { delay(busy("7"), $0) } == [.seconds(8), .seconds(8), .seconds(8), nil])
    #expect(delay(busy("121"), 1) == nil)
    #expect(delay(.status(Graph.FailedResponse(status: 404)), 1) == nil)
  }
}
