import Foundation
import GraphOutbox
import Testing

struct OutboxErrorTests {
  private struct Cause: Error {}

  @Test func equalityIgnoresTheCause() {
    let error = Graph.OutboxError(.closed, message: "m")
    let other = Graph.OutboxError(.closed, message: "m", cause: Cause())
    #expect(error == other && error.hashValue == other.hashValue)
    #expect(error != Graph.OutboxError(.closed, message: "n"))
    #expect(error != Graph.OutboxError(.newerSave, message: "m"))
  }

  @Test func programsCanDefineErrorCodes() {
    let error = Graph.OutboxError(Graph.OutboxError.Code("mine"), message: "m", cause: Cause())
    #expect(error.code == Graph.OutboxError.Code("mine") && "\(error)" == "mine: m")
    #expect(error.cause is Cause)
  }

  @Test func eachCodeHasASentence() {
    let error = Graph.OutboxError(.newerSave, message: "m")
    #expect(error.localizedDescription == "There is a newer change.")
    #expect(error.failureReason == "newerSave: m")
    let own = Graph.OutboxError(Graph.OutboxError.Code("mine"), message: "m")
    #expect(own.localizedDescription == "The change is not valid.")
  }
}
