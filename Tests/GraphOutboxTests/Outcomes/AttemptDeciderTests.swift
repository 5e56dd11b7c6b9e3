import GraphClient
import Testing

@testable import GraphOutbox

struct AttemptDeciderTests {
  private let decider = AttemptDecider(
    backoff: Graph.Backoff(base: .seconds(1), maximum: .seconds(60)))

  private func decide(
    _ outcome: AttemptOutcome, attempts: Int = 1, refusals: RefusalCount = RefusalCount(),
    waited: Duration = .zero, isDoubtful: Bool = false, isRepeatable: Bool = true,
    random: Double = 1
  ) -> AttemptDecision {
    decider.decision(
      on: outcome, attempts: attempts, refusals: refusals, waited: waited, isDoubtful: isDoubtful,
      isRepeatable: isRepeatable, random: random)
  }

  @Test func threeEqualRefusalsRejectTheOperation() {
    var refusals = RefusalCount()
    for round in 1...2 {
      let reason = Graph.RejectionReason(message: "Item \(round) is in use")
      guard
        case .retry(_, let counted, _) = decide(.refused(reason, delay: nil), refusals: refusals)
      else {
        Issue.record("stopped after \(round)")
        return
      }
      refusals = counted
    }
    let third = Graph.RejectionReason(message: "item 3 is in use.")
    #expect(decide(.refused(third, delay: nil), refusals: refusals) == .reject(third))
    let other = Graph.RejectionReason(message: "closed")
    #expect(
      decide(.refused(other, delay: nil), refusals: refusals)
        == .retry(after: .seconds(1), RefusalCount(reason: "closed", count: 1)))
  }

  @Test func anUnreachableServerNeverEndsTheRetries() {
    let reason = Graph.RejectionReason(code: "cannotConnect", message: "m")
    let refusals = RefusalCount(reason: "cannotconnect", count: 2)
    #expect(
      decide(
        .unreachable(reason), attempts: 1000, refusals: refusals, waited: .seconds(100 * 86_400))
        == .wait(reason, .network, after: .seconds(60)))
  }

  @Test func retriesEndAfterTheWaitingLimitForBusyServers() {
    let busy = Graph.RejectionReason(code: "http 429", message: "m")
    let refusals = RefusalCount(reason: "http", count: 2)
    #expect(
      decide(.busy(busy, delay: nil), attempts: 3, refusals: refusals)
        == .wait(busy, .server, after: .seconds(4)))
    #expect(
      decide(.busy(busy, delay: .seconds(90)), refusals: refusals, random: 0)
        == .wait(busy, .requested, after: .seconds(90)))
    let week = Duration.seconds(7 * 86_400)
    #expect(
      decide(.busy(busy, delay: nil), waited: week - .milliseconds(1))
        == .wait(busy, .server, after: .seconds(1)))
    #expect(decide(.busy(busy, delay: nil), waited: week) == .reject(busy.gaveUp))
    #expect(
      decide(.busy(busy, delay: nil), waited: week, isDoubtful: true)
        == .markUncertain(busy, RefusalCount()))
    #expect(decide(.ambiguous(busy), waited: week) == .markUncertain(busy, RefusalCount()))
  }

  @Test func marksAmbiguousOutcomesUncertainUnlessRepeatable() {
    let reason = Graph.RejectionReason(message: "timeout")
    #expect(
      decide(.ambiguous(reason), isRepeatable: false) == .markUncertain(reason, RefusalCount()))
    for attempts in [1, 3, 1000] {
      #expect(
        decide(
          .ambiguous(reason), attempts: attempts,
          refusals: RefusalCount(reason: "timeout", count: 2),
          random: 0)
          == .wait(reason, .server, after: .zero, isDoubtful: true))
    }
    #expect(
      decide(.ambiguous(reason, delay: .seconds(9)), random: 0)
        == .wait(reason, .requested, after: .seconds(9), isDoubtful: true))
  }

  @Test func marksDoubtfulOperationsUncertainInsteadOfRejected() {
    let busy = Graph.RejectionReason(message: "busy")
    let twice = RefusalCount(reason: "busy", count: 2)
    #expect(decide(.refused(busy, delay: nil), refusals: twice) == .reject(busy))
    #expect(
      decide(.refused(busy, delay: nil), refusals: twice, isDoubtful: true)
        == .markUncertain(busy, RefusalCount(reason: "busy", count: 3)))
  }

  @Test func theThirdConflictRejectsTheOperation() {
    let reason = Graph.RejectionReason(code: "CONFLICT", message: "m")
    #expect(
      decide(.conflict(reason)) == .resolve(reason, RefusalCount(reason: "conflict", count: 1)))
    #expect(
      decide(.conflict(reason), refusals: RefusalCount(reason: "conflict", count: 2))
        == .reject(reason))
  }

  @Test func everyDecisionResultsInAnAllowedTransition() {
    let reason = Graph.RejectionReason(message: "m")
    for outcome in [
      AttemptOutcome.success, .rejected(reason), .refused(reason, delay: nil),
      .busy(reason, delay: nil), .unreachable(reason), .ambiguous(reason), .conflict(reason),
      .unauthenticated(), .unauthenticated(isRenewed: true),
    ] {
      for isRepeatable in [true, false] {
        let state = decide(outcome, isRepeatable: isRepeatable).state
        #expect(Graph.OperationState.inTransit.successors.contains(state))
      }
    }
  }

  @Test func delaysDoubleUpToTheirBound() {
    let busy = Graph.RejectionReason(message: "busy")
    for (attempts, seconds) in [(1, 1), (3, 4), (7, 60), (.max, 60)] {
      #expect(
        decide(.busy(busy, delay: nil), attempts: attempts)
          == .wait(busy, .server, after: .seconds(seconds)))
    }
  }

  /// The server's delay is used up to a limit, with a random addition that does not grow.
  @Test(arguments: [(90, 90), (1_000_000_000, 86_400)])
  func aRequestedDelayHasALimit(requested: Int, used: Int) {
    let busy = Graph.RejectionReason(message: "busy")
    for attempts in [1, 10] {
      #expect(
        decide(.busy(busy, delay: .seconds(requested)), attempts: attempts)
          == .wait(busy, .requested, after: .seconds(used + 1)))
    }
  }
}
