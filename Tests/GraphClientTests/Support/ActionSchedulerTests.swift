import Foundation
import TestSupport
import Testing

@testable import GraphClient

@Suite(.timeLimit(.minutes(2)))
struct ActionSchedulerTests {
  /// Is captured by an action, so that the test sees whether the action is still kept.
  private final class Content: Sendable {
    let isGone: Box<Bool>

    init(_ isGone: Box<Bool>) { self.isGone = isGone }

    deinit { isGone.update { $0 = true } }
  }

  private func add(
    _ deadline: ContinuousClock.Instant, to scheduler: Graph.ActionScheduler,
    action: @escaping @Sendable () -> Void
  ) -> (id: Int, isGone: Box<Bool>) {
    let isGone = Box(false)
    let content = Content(isGone)
    return (scheduler.add(deadline) { withExtendedLifetime(content, action) }, isGone)
  }

  @Test func everyDeadlineFiresOnceAndNotEarly() async throws {
    let scheduler = Graph.ActionScheduler()
    let fired = Box<[Int]>([])
    let early = Box(0)
    let now = ContinuousClock.now
    var gone: [Box<Bool>] = []
    // The later ones first, so that the timer has to be set again.
    for number in [3, 2, 1, 0] {
      let deadline = now + .milliseconds(number * 10)
      let added = add(deadline, to: scheduler) {
        fired.update { $0.append(number) }
        if ContinuousClock.now < deadline { early.update { $0 += 1 } }
      }
      gone.append(added.isGone)
    }
    // None is kept.
    try await wait { gone.allSatisfy(\.current) }
    withExtendedLifetime(scheduler) {}
    #expect(fired.current.count == 4)
    #expect(Set(fired.current) == [0, 1, 2, 3])
    #expect(early.current == 0)
  }

  @Test func removedActionsAreReleasedAndNotCalled() async throws {
    let scheduler = Graph.ActionScheduler()
    let fired = Box<[String]>([])
    let removed = add(.now + .milliseconds(1), to: scheduler) {
      fired.update { $0.append("removed") }
    }
    scheduler.remove(removed.id)
    #expect(removed.isGone.current)
    let far = add(.now + .seconds(3600), to: scheduler) { fired.update { $0.append("far") } }
    let near = add(.now + .milliseconds(20), to: scheduler) { fired.update { $0.append("near") } }
    try await wait { near.isGone.current }
    #expect(fired.current == ["near"])
    #expect(!far.isGone.current)
    scheduler.remove(far.id)
    #expect(far.isGone.current)
  }

  /// A transfer that nothing but its deadline keeps, after `body`.
  private func limitedTransfer(
    _ scheduler: Graph.ActionScheduler, isWhole: Bool,
    _ body: (Graph.URLSessionTransfer) -> Void = { _ in }
  ) -> () -> Graph.URLSessionTransfer? {
    let transfer = Graph.URLSessionTransfer(
      url: .endpoint, maximumUnreadBytes: 100, isWhole: isWhole, upload: nil, scheduler: scheduler
    ) {}
    transfer.limit(to: .now + .seconds(3600), sparesStreams: !isWhole)
    body(transfer)
    return { [weak transfer] in transfer }
  }

  @Test func endingATransferReleasesItsDeadline() async throws {
    let scheduler = Graph.ActionScheduler()
    for isCancelled in [false, true] {
      let transfer = limitedTransfer(scheduler, isWhole: true)
      #expect(transfer() != nil)
      if isCancelled {
        transfer()?.abandon(.cancelled(bytesSent: true))
      } else {
        transfer()?.didComplete(nil)
      }
      #expect(transfer() == nil)
      // One that has ended before it is limited.
      let ended = limitedTransfer(scheduler, isWhole: true) {
        $0.didComplete(nil)
        $0.limit(to: .now + .seconds(3600), sparesStreams: false)
      }
      #expect(ended() == nil)
    }
  }

  @Test(arguments: [
    ("text/event-stream", 200, false), ("multipart/mixed;boundary=b", 200, false),
    ("application/json", 200, true), ("text/event-stream", 503, true),
  ])
  func headOfAStreamRemovesItsDeadline(type: String, status: Int, isKept: Bool) {
    let scheduler = Graph.ActionScheduler()
    let transfer = limitedTransfer(scheduler, isWhole: false) {
      #expect($0.didReceiveHead(status: status, headers: ["Content-Type": type]))
    }
    #expect((transfer() != nil) == isKept)
    transfer()?.didComplete(nil)
    #expect(transfer() == nil)
  }
}
