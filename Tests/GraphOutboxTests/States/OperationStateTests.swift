import Testing

@testable import GraphOutbox

struct OperationStateTests {
  @Test(arguments: [Graph.OperationState.received, .rejected, .cancelled])
  func aFinalStateHasNoSuccessors(_ state: Graph.OperationState) {
    #expect(state.isFinal)
    #expect(state.successors.isEmpty)
  }

  @Test(arguments: Graph.OperationState.allCases)
  func everyStateCanReachAFinalState(_ state: Graph.OperationState) {
    var reached: Set<Graph.OperationState> = [state]
    while true {
      let next = reached.union(reached.flatMap(\.successors))
      if next == reached { break }
      reached = next
    }
    #expect(!reached.filter(\.isFinal).isEmpty)
  }

  @Test func anOperationInTransitCannotBeCancelled() {
    #expect(!Graph.OperationState.inTransit.successors.contains(.cancelled))
    #expect(!Graph.OperationState.delivered.successors.contains(.cancelled))
  }

  @Test func onlyARepeatableOperationIsPendingAfterACrash() {
    #expect(
      Graph.OperationState.inTransit.recovered(isRepeatable: true, isVerified: false) == .pending)
    #expect(
      Graph.OperationState.inTransit.recovered(isRepeatable: false, isVerified: false) == .uncertain
    )
    #expect(
      Graph.OperationState.inTransit.recovered(isRepeatable: false, isVerified: true) == .inTransit)
    for state in Graph.OperationState.allCases
    where state != .inTransit && state != .awaitingCredentials {
      #expect(state.recovered(isRepeatable: false, isVerified: false) == state)
    }
  }
}
