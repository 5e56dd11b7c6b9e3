import CHiredis
import Foundation
import GraphClient
import GraphQLRuntime

/// The thread that reads from connections and ends late calls, so that no task blocks.
// Safe: the ends of the pipe never change, and are closed when no thread can use them any more.
@safe final class ValkeyLoop: @unchecked Sendable {
  private struct State {
    /// Until when the thread sleeps; `.max` while it does not, so that it is woken in any case.
    var sleepsUntil = Int64.max
    var links: [ValkeyLink]
    /// The consequences of values that tasks have read.
    var consequences: [ValkeyLink.Consequence] = []
    var isStopped = false
  }

  private let state: Locked<State>
  private let readEnd: Int32
  private let writeEnd: Int32
  /// How long the thread sleeps at most after there were commands. The deadline of a new command is not earlier, so
  /// it need not be woken for each.
  private let tick: Int64

  /// For how long after a command the thread wakes at each tick.
  private static let activeTime: Int64 = 100_000_000

  init(_ links: [ValkeyLink], tick: Duration) throws(Graph.ValkeyError) {
    var ends: (Int32, Int32) = (-1, -1)
    let isOpen = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      unsafe chiredis_pipe(bytes.bindMemory(to: Int32.self).baseAddress)
    }
    guard isOpen else {
      throw Graph.ValkeyError(.unsupported, message: "there is no free file descriptor")
    }
    (readEnd, writeEnd) = ends
    self.tick = max(1_000_000, tick.nanoseconds)
    state = Locked(State(links: links))
    let thread = Thread { [self] in run() }
    thread.name = "GraphValkey"
    thread.start()
  }

  deinit {
    chiredis_close(readEnd)
    chiredis_close(writeEnd)
  }

  /// Ends the thread, which closes the connections.
  func stop() {
    state.withLock { $0.isStopped = true }
    wake()
  }

  func wake() { chiredis_pipe_write(writeEnd) }

  /// Wakes the thread if it would sleep beyond a deadline.
  func wake(before deadline: Int64) {
    if state.withLock({ deadline < $0.sleepsUntil }) { wake() }
  }

  private func run() {
    var lastActive: Int64 = 0
    while true {
      let (links, consequences, isStopped) = state.withLock { state in
        state.sleepsUntil = .max
        defer { state.consequences = [] }
        return (state.links, state.consequences, state.isStopped)
      }
      if isStopped { return links.forEach { $0.stop() } }
      let now = ValkeyClock.now
      for consequence in consequences { links.forEach { $0.follow(consequence, at: now) } }
      var entries = [
        chiredis_entry(
          descriptor: readEnd, waits_to_read: true, waits_to_write: false, is_ready: false)
      ]
      var open: [ValkeyLink] = []
      var time = Int64.max
      for link in links {
        let interest = link.prepare(at: now) { [weak self] in self?.wake() }
        time = min(time, interest.time)
        if link.pendingCount > 0 { lastActive = now }
        guard let descriptor = interest.descriptor else { continue }
        open.append(link)
        entries.append(
          chiredis_entry(
            descriptor: descriptor, waits_to_read: interest.waitsToRead,
            waits_to_write: interest.waitsToWrite, is_ready: false))
      }
      if lastActive > now - Self.activeTime { time = min(time, now + tick) }
      sleep(&entries, until: time, now)
      if entries[0].is_ready { chiredis_pipe_drain(readEnd) }
      let later = ValkeyClock.now
      for (link, entry) in zip(open, entries.dropFirst()) where entry.is_ready {
        let consequence = link.serve(at: later)
        links.forEach { $0.follow(consequence, at: later) }
        lastActive = later
      }
    }
  }

  /// Closes the connections that may not be used any more, on the thread of the loop: their owners get events on that
  /// thread only.
  func follow(_ consequences: [ValkeyLink.Consequence]) {
    guard !consequences.isEmpty else { return }
    state.withLock { $0.consequences += consequences }
    wake()
  }

  // Safe: the call writes to the entries of the array, whose number it gets.
  private func sleep(_ entries: inout [chiredis_entry], until time: Int64, _ now: Int64) {
    state.withLock { $0.sleepsUntil = time }
    // Rounded up, so that the thread does not wake just before the time.
    let milliseconds =
      time == .max ? -1 : Int32(clamping: max(0, (time - now + 999_999) / 1_000_000))
    let count = entries.count
    unsafe entries.withUnsafeMutableBufferPointer { entries in
      unsafe chiredis_wait(entries.baseAddress, count, milliseconds)
    }
  }
}

/// Nanoseconds of a clock that never jumps.
enum ValkeyClock {
  static var now: Int64 { chiredis_now() }
}

extension Duration {
  /// Limited to 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return seconds < 0 ? .min / 4 : .max / 4 }
    return max(.min / 4, min(.max / 4, product)) + attoseconds / 1_000_000_000
  }

  /// At least 1, as the server requires for times to live.
  var positiveMilliseconds: Int64 { max(1, (nanoseconds + 999_999) / 1_000_000) }
}
