// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import Foundation

/// The end that the user requests with Ctrl-C or `kill`.
final class Interruption {
  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    sources = [SIGINT, SIGTERM].map { [semaphore] number in
      // Otherwise the signal ends the process before the terminal is restored.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "treeswift-store.signals"))
      source.setEventHandler { semaphore.signal() }
      source.activate()
      return source
    }
  }

  /// Waits for the end.
  ///
  /// - Returns: whether there was none in that time.
  func isAbsent(for duration: Duration) -> Bool {
    let (seconds, attoseconds) = duration.components
    let pause = DispatchTimeInterval.nanoseconds(
      Int(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    return semaphore.wait(timeout: .now() + pause) == .timedOut
  }
}
