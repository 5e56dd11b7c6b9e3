import GraphClient
import GraphQLRuntime

/// Decides when the connections of a group may be opened, and whether commands may wait for one.
///
/// While the server works, every connection may be opened. After a failure, one connection at a time is opened, at
/// growing intervals, until one succeeds: it is the only probe, and no command waits for it.
final class ValkeyBreaker: Sendable {
  private struct State {
    /// Attempts to connect that failed in a row.
    var failures = 0
    /// The error of commands while no connection is open.
    var refusal = Graph.ValkeyError.noConnection
    var retryTime: Int64 = 0
    /// Whether a connection is being opened that others wait for.
    var isProbing = false
    var readyCount = 0
    /// Commands in a row that ended without a value in time.
    var lateCount = 0
  }

  private let state = Locked(State())
  private let backoff: Graph.Backoff

  /// The number of late commands in a row after which the server counts as too slow.
  private static let maximumLateCount = 100

  init(_ backoff: Graph.Backoff) { self.backoff = backoff }

  /// The error of commands if they fail without a wait.
  var refusal: Graph.ValkeyError? {
    state.withLock { $0.failures > 0 && $0.readyCount == 0 ? $0.refusal : nil }
  }

  /// Attempts to connect that have failed in a row.
  var failures: Int { state.withLock { $0.failures } }

  var readyCount: Int { state.withLock { $0.readyCount } }

  /// Whether a connection may be opened now; if so, the caller must report how that ended.
  func mayConnect(at now: Int64) -> Bool {
    state.withLock { state in
      guard now >= state.retryTime, !state.isProbing else { return false }
      state.isProbing = state.readyCount == 0
      return true
    }
  }

  /// When the next connection may be opened.
  var retryTime: Int64 { state.withLock { $0.isProbing ? .max : $0.retryTime } }

  func connected() {
    state.withLock { state in
      state.failures = 0
      state.refusal = .noConnection
      state.retryTime = 0
      state.isProbing = false
      state.readyCount += 1
      state.lateCount = 0
    }
  }

  /// A connection could not be opened.
  func connectingFailed(_ error: Graph.ValkeyError, at now: Int64) {
    state.withLock { state in
      state.isProbing = false
      state.refusal = .noConnection(after: error)
      fail(&state, now)
    }
  }

  /// A connection that was ready was lost.
  ///
  /// - Parameter isSuspect: whether the server does not work, so that it must not be used until a probe succeeds.
  ///   Otherwise, it may have restarted, or have closed an idle connection.
  func lost(at now: Int64, isSuspect: Bool) {
    state.withLock { state in
      state.readyCount -= 1
      if isSuspect { fail(&state, now) }
    }
  }

  /// A command has ended.
  ///
  /// - Returns: whether the server counts as too slow from now on.
  func commandEnded(inTime: Bool) -> Bool {
    state.withLock { state in
      state.lateCount = inTime ? 0 : state.lateCount + 1
      guard state.lateCount >= Self.maximumLateCount else { return false }
      state.lateCount = 0
      return true
    }
  }

  private func fail(_ state: inout State, _ now: Int64) {
    // Several connections can fail for the same reason.
    guard now >= state.retryTime else { return }
    state.failures += 1
    // Never close to zero: a server that fails at once must not be asked all the time.
    let random = 0.5 + Double.random(in: 0..<0.5)
    state.retryTime = now + backoff.delay(after: state.failures, random: random).nanoseconds
  }
}
