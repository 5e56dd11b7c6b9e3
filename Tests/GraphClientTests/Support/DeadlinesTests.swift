import Foundation
import Testing

@testable import GraphClient

@Suite(.timeLimit(.minutes(2)))
struct DeadlinesTests {
  @Test func eachComesInItsTurnAndNotEarly() async {
    let deadlines = Graph.Deadlines()
    let came = Box<[Int]>([])
    let early = Box(0)
    let now = ContinuousClock.now
    // The later ones first, so that the timer has to be set again.
    for number in [3, 2, 1, 0] {
      let deadline = now + .milliseconds(number * 10)
      _ = deadlines.add(deadline) {
        came.update { $0.append(number) }
        if ContinuousClock.now < deadline { early.update { $0 += 1 } }
      }
    }
    await wait { came.current.count == 4 }
    #expect(Set(came.current) == [0, 1, 2, 3])
    #expect(early.current == 0)
    #expect(deadlines.count == 0)
  }

  @Test func whoIsRemovedIsNotCalledAndNotKept() async {
    let deadlines = Graph.Deadlines()
    let came = Box<[String]>([])
    let removed = deadlines.add(.now + .milliseconds(1)) { came.update { $0.append("removed") } }
    deadlines.remove(removed)
    let far = deadlines.add(.now + .seconds(3600)) { came.update { $0.append("far") } }
    _ = deadlines.add(.now + .milliseconds(20)) { came.update { $0.append("near") } }
    await wait { !came.current.isEmpty }
    #expect(came.current == ["near"])
    #expect(deadlines.count == 1)
    deadlines.remove(far)
    #expect(deadlines.count == 0)
  }

  @Test func aTransportKeepsNoDeadlineOfAnAnswer() async throws {
    let deadlines = Graph.Deadlines()
    for isCancelled in [false, true] {
      let transfer = Graph.Transfer(
        url: .endpoint, maximumUnreadBytes: 100, isWhole: true, upload: nil, deadlines: deadlines
      ) {}
      transfer.limit(to: .now + .seconds(3600), sparesStreams: false)
      #expect(deadlines.count == 1)
      isCancelled ? transfer.abandon(.cancelled(bytesSent: true)) : transfer.didComplete(nil)
      #expect(deadlines.count == 0)
      // One that has ended before it is limited.
      transfer.limit(to: .now + .seconds(3600), sparesStreams: false)
      #expect(deadlines.count == 0)
    }
  }

  @Test(arguments: [
    ("text/event-stream", 200, 0), ("multipart/mixed;boundary=b", 200, 0),
    ("application/json", 200, 1), ("text/event-stream", 503, 1),
  ])
  func theDeadlineOfAStreamEndsWithItsHead(type: String, status: Int, count: Int) {
    let deadlines = Graph.Deadlines()
    let transfer = Graph.Transfer(
      url: .endpoint, maximumUnreadBytes: 100, isWhole: false, upload: nil, deadlines: deadlines
    ) {}
    transfer.limit(to: .now + .seconds(3600), sparesStreams: true)
    #expect(transfer.didReceiveHead(status: status, headers: ["Content-Type": type]))
    #expect(deadlines.count == count)
    transfer.didComplete(nil)
    #expect(deadlines.count == 0)
  }
}
