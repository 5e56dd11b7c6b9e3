import GraphClient
import GraphQLRuntime
import GraphStore

// How an outbox ends: it leaves no sent operation open that the next one would send another time.
extension Sender {
  /// Returns when all sent operations are settled, or the time limit has passed, and the file is
  /// free for another outbox. The lock is closed before, so that nothing more is sent.
  func stop() async {
    if let stopping { return await stopping.value }
    let task = Task { await finish() }
    stopping = task
    await task.value
  }

  private func finish() async {
    await requestsEnded()
    let time = configuration.time
    let end = time.now.uptime + configuration.lockTimeout
    _ = await settled(deadline: configuration.lockTimeout)
    // Hooks that still run are ignored from now on: their operations are written as undecided.
    for settlement in hooks.values { if let settlement { await settle(settlement) } }
    while queue.hub.failure == nil {
      await sendDue()
      guard isSending || !unsettled.isEmpty, time.now.uptime < end else { break }
      let pause = unsettled.isEmpty ? .milliseconds(5) : Self.diskPause
      let remaining = max(end - time.now.uptime, .zero)
      guard (try? await time.sleep(for: min(pause, remaining))) != nil else { break }
    }
    lock.release()
  }
}
