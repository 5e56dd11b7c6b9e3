import Foundation
import GraphClient
import GraphQLRuntime

/// Whether the task of a call should wait for the values on its own thread, which it blocks.
///
/// - At most half of the processors have such a task, so others continue.
/// - A server that is too slow three times in a row counts as slow for a second, so a slow server blocks threads for less
///   than a thousandth of the time.
/// - If other tasks send commands as well, the task lets them do so before it waits. That takes time, so a task that is
///   alone does not, except for one in 16 calls, which finds out.
struct ReadingPolicy {
  /// How long a task waits, in nanoseconds. Tasks share a few threads, and none must block one for long.
  static let limit: Int64 = 200_000

  /// After this time, in nanoseconds, the loop reads instead: the task may have got no thread.
  static let handover: Int64 = 1_000_000

  /// The tasks of this process that wait.
  private static let waitingCount = Locked(0)
  private static let maximumWaitingCount = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)

  private static let maximumFailures = 3
  private static let pause: Int64 = 1_000_000_000
  private static let trialInterval = 16

  private var failures = 0
  private var pauseEnd: Int64 = 0
  /// Calls in a row that no other one has joined.
  private var callsAlone = 0

  func mayWait(at now: Int64) -> Bool { now >= pauseEnd }

  /// Counts a task that waits.
  ///
  /// - Returns: false if too many wait.
  static func begin() -> Bool {
    waitingCount.withLock { count in
      guard count < maximumWaitingCount else { return false }
      count += 1
      return true
    }
  }

  /// Whether the next task that waits lets others send first.
  var letsOthersSend: Bool { callsAlone % Self.trialInterval == 0 }

  /// A task for which ``begin()`` was called no longer waits.
  static func end() { waitingCount.withLock { $0 -= 1 } }

  /// A task has waited.
  ///
  /// - Parameters:
  ///   - isQuick: whether the values have arrived.
  ///   - isAlone: whether no other call was sent in the meantime.
  mutating func end(isQuick: Bool, isAlone: Bool, at now: Int64) {
    callsAlone = isAlone ? callsAlone + 1 : 0
    failures = isQuick ? 0 : failures + 1
    guard failures == Self.maximumFailures else { return }
    failures = 0
    pauseEnd = now + Self.pause
  }
}
