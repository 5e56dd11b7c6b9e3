import GraphClient
import GraphQLRuntime

/// Commands for whose values a task waits.
///
/// `Promise` does the same for any type. Its generic code would be a fifteenth of the time of a hit.
final class ValkeyCall: Sendable {
  typealias Outcome = Result<[ValkeyValue], Graph.ValkeyError>

  private enum State {
    case open
    case waiting(CheckedContinuation<Outcome, Never>)
    case ended(Outcome)
  }

  let commands: ValkeyCommands
  /// By the clock of ``ValkeyClock``.
  let deadline: Int64
  private let state = Locked(State.open)

  init(_ commands: ValkeyCommands, deadline: Int64) {
    self.commands = commands
    self.deadline = deadline
  }

  /// Whether the task no longer waits, because it has the values or an error.
  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  /// The first outcome counts.
  ///
  /// - Returns: whether this is the first.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let (isFirst, waiting) = state.withLock {
      state -> (Bool, CheckedContinuation<Outcome, Never>?) in
      defer { if case .ended = state {} else { state = .ended(outcome) } }
      switch state {
      case .open: return (true, nil)
      case .waiting(let continuation): return (true, continuation)
      case .ended: return (false, nil)
      }
    }
    waiting?.resume(returning: outcome)
    return isFirst
  }

  /// The values, one for each command. One task may wait for them.
  func values() async throws(Graph.ValkeyError) -> [ValkeyValue] {
    if case .ended(let outcome) = state.withLock({ $0 }) { return try outcome.get() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if case .ended(let outcome) = state { return outcome }
          state = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      end(.failure(.cancelled))
    }.get()
  }
}

extension Graph.ValkeyError {
  static let cancelled = Graph.ValkeyError(.cancelled, message: "the task was cancelled")
  static let timeIsOver = Graph.ValkeyError(
    .timedOut, message: "the server has not responded in time")
  static let lost = Graph.ValkeyError(.connectionLost, message: "the connection was lost")
  static let valueWithoutCommand = Graph.ValkeyError(
    .invalidResponse, message: "the server has sent a value without a command")
  static let noConnection = Graph.ValkeyError(
    .unavailable, message: "there is no connection to the server at the moment")

  /// - Parameter failure: why the last attempt to connect has failed.
  static func noConnection(after failure: Graph.ValkeyError) -> Graph.ValkeyError {
    guard failure.message != noConnection.message else { return noConnection }
    return Graph.ValkeyError(
      .unavailable, message: "\(noConnection.message); the last attempt: \(failure.message)")
  }
}
