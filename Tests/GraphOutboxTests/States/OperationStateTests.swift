import Testing

@testable import GraphOutbox

struct OperationStateTests {
  @Test(arguments: [OperationState.received, .rejected, .cancelled])
  func nothingFollowsAFinalState(_ state: OperationState) {
    #expect(state.isFinal)
    #expect(state.successors.isEmpty)
  }

  @Test(arguments: OperationState.allCases)
  func everyOpenStateLeadsToAnEnd(_ state: OperationState) {
    var reached: Set<OperationState> = [state]
    while true {
      let next = reached.union(reached.flatMap(\.successors))
      if next == reached { break }
      reached = next
    }
    #expect(!reached.filter(\.isFinal).isEmpty)
  }

  @Test func whatMayHaveBeenSentIsNotTakenBack() {
    #expect(!OperationState.inTransit.successors.contains(.cancelled))
    #expect(!OperationState.delivered.successors.contains(.cancelled))
  }

  @Test func onlyARepeatableOperationIsSentAgainAfterACrash() {
    #expect(OperationState.inTransit.recovered(isRepeatable: true, isVerified: false) == .pending)
    #expect(
      OperationState.inTransit.recovered(isRepeatable: false, isVerified: false) == .uncertain)
    #expect(OperationState.inTransit.recovered(isRepeatable: false, isVerified: true) == .inTransit)
    for state in OperationState.allCases where state != .inTransit && state != .parked {
      #expect(state.recovered(isRepeatable: false, isVerified: false) == state)
    }
  }
}
