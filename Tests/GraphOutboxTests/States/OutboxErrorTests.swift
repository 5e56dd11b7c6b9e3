import GraphOutbox
import Testing

struct OutboxErrorTests {
  private struct Cause: Error {}

  @Test func equalityLeavesOutTheCause() {
    let error = OutboxError(.closed, message: "m")
    let other = OutboxError(.closed, message: "m", cause: Cause())
    #expect(error == other && error.hashValue == other.hashValue)
    #expect(error != OutboxError(.closed, message: "n"))
    #expect(error != OutboxError(.newerSave, message: "m"))
  }

  @Test func programsHaveCodesOfTheirOwn() {
    let error = OutboxError(OutboxError.Code("mine"), message: "m", cause: Cause())
    #expect(error.code == OutboxError.Code("mine") && "\(error)" == "mine: m")
    #expect(error.cause is Cause)
  }
}
