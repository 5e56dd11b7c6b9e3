import CHiredis
import Foundation
import GraphClient
import GraphQLRuntime

extension ValkeyLink {
  enum Acceptance {
    /// - Parameter time: when the loop must be awake at the latest.
    case sent(before: Int64)
    /// The task must call ``waitForValues(of:)``, after it has let others send their commands or at once.
    ///
    /// - Parameter end: when the loop reads instead, so when it must be awake if the task does not read at once.
    case isReader(letsOthersSend: Bool, end: Int64)
    /// The loop must write the rest, or connect.
    case needsLoop
    case notReady
    /// The connection could not be used any more. The loop must open it again.
    case wasClosed
    case full
  }

  /// A server does not become a replica and the master again in a shorter time, in nanoseconds.
  private static let longestUncheckedPause: Int64 = 1_000_000_000

  /// Sends the commands of the call.
  ///
  /// - Parameters:
  ///   - waits: whether the call waits for the connection if it is not ready.
  ///   - mayRead: whether the caller can read the values itself.
  func send(_ call: ValkeyCall, waits: Bool, mayRead: Bool) -> Acceptance {
    let now = ValkeyClock.now
    var defect: (error: Graph.ValkeyError, attempt: Int)?
    let acceptance = state.withLock { state -> Acceptance in
      guard !state.isStopped else { return .notReady }
      defect = state.defectOfIdle(at: now)
      guard defect == nil else { return .wasClosed }
      guard case .ready = state.phase, let stream = state.stream else {
        guard waits, state.waiting.count < configuration.maximumPending else { return .notReady }
        state.isWanted = true
        state.waiting.append(call)
        state.nextDeadline = min(state.nextDeadline, call.deadline)
        return .needsLoop
      }
      guard state.pending.count < configuration.maximumPending else { return .full }
      let isAlone = state.pending.count == 0
      if isAlone, let check = handshake.checkAfterPause,
        now - state.lastReceived > Self.longestUncheckedPause
      {
        guard stream.append(check.bytes) else { return .full }
        // If it fails, the call fails for the same reason.
        state.pending.append(ValkeyCall(check, deadline: call.deadline), at: now)
      }
      guard stream.append(call.commands.bytes) else { return .full }
      state.pending.append(call, at: now)
      state.nextDeadline = min(state.nextDeadline, call.deadline)
      guard !state.waitsToWrite else { return .needsLoop }
      // A failure is found again by the loop, which closes the connection.
      guard stream.write() == CHIREDIS_DONE else {
        state.waitsToWrite = true
        return .needsLoop
      }
      // The thread that reads the values of an earlier call reads those of this one as well.
      guard isAlone else {
        state.isJoined = true
        return .sent(before: now < state.readerEnd ? state.readerEnd : call.deadline)
      }
      guard mayRead, now >= state.readerEnd, state.policy.mayWait(at: now), ReadingPolicy.begin()
      else {
        return state.loopReads ? .sent(before: call.deadline) : .needsLoop
      }
      (state.readerEnd, state.isJoined) = (now + ReadingPolicy.handover, false)
      return .isReader(letsOthersSend: state.policy.letsOthersSend, end: state.readerEnd)
    }
    if let (error, attempt) = defect { close(error, isSuspect: false, at: now, attempt) }
    return acceptance
  }

  /// Waits a moment for the values of a call that was sent alone, on the thread of its task. With a server nearby, the
  /// two changes of threads that this saves take longer than the server.
  ///
  /// - Returns: whether the loop must wait instead, and what follows for other connections.
  func waitForValues(of call: ValkeyCall) -> (needsLoop: Bool, consequences: [Consequence]) {
    var consequences: [Consequence] = []
    var now = ValkeyClock.now
    let end = now + ReadingPolicy.limit
    var isQuick = call.hasEnded
    while !isQuick, now < end, let descriptor = state.withLock({ $0.stream?.descriptor }),
      chiredis_wait_briefly(descriptor, Int((end - now + 999) / 1000))
    {
      now = ValkeyClock.now
      let consequence = serve(at: now)
      if consequence != .none { consequences.append(consequence) }
      isQuick = call.hasEnded
    }
    ReadingPolicy.end()
    isQuick = call.hasEnded
    let needsLoop = state.withLock { state in
      state.readerEnd = 0
      state.policy.end(isQuick: isQuick, isAlone: !state.isJoined, at: now)
      // It also opens the connection again.
      if case .ready = state.phase { return state.pending.count > 0 }
      return true
    }
    return (needsLoop || !consequences.isEmpty, consequences)
  }

  /// Sends commands on a connection that subscribes; their values are events. The loop must be woken afterwards.
  ///
  /// - Returns: false if there is no connection.
  func post(_ commands: ValkeyCommands) -> Bool {
    state.withLock { state in
      guard case .ready = state.phase, let stream = state.stream, stream.append(commands.bytes)
      else { return false }
      if !state.waitsToWrite { state.waitsToWrite = stream.write() != CHIREDIS_DONE }
      return true
    }
  }
}

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
