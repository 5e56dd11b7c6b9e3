import GraphClient

/// Commands for whose values a task waits.
final class ValkeyCall: Sendable {
  let commands: ValkeyCommands
  /// By the clock of ``ValkeyClock``.
  let deadline: Int64
  private let promise = Promise<[ValkeyValue]>()

  init(_ commands: ValkeyCommands, deadline: Int64) {
    self.commands = commands
    self.deadline = deadline
  }

  /// Whether the task no longer waits, because it has the values or an error.
  var hasEnded: Bool { promise.isResolved }

  /// - Returns: whether the task was waiting.
  @discardableResult
  func end(_ result: Result<[ValkeyValue], Graph.ValkeyError>) -> Bool {
    promise.resolve(result.mapError { $0 })
  }

  /// The values, one for each command.
  func values() async throws(Graph.ValkeyError) -> [ValkeyValue] {
    do {
      return try await withTaskCancellationHandler {
        try await promise.value
      } onCancel: {
        end(.failure(.cancelled))
      }
    } catch {
      throw error as? Graph.ValkeyError ?? .cancelled
    }
  }
}

extension Graph.ValkeyError {
  static let cancelled = Graph.ValkeyError(.cancelled, message: "the task was cancelled")
  static let timeIsOver = Graph.ValkeyError(
    .timedOut, message: "the server has not responded in time")
  static let lost = Graph.ValkeyError(.connectionLost, message: "the connection was lost")
  static let noConnection = Graph.ValkeyError(
    .unavailable, message: "there is no connection to the server at the moment")

  /// - Parameter failure: why the last attempt to connect has failed.
  static func noConnection(after failure: Graph.ValkeyError) -> Graph.ValkeyError {
    guard failure.message != noConnection.message else { return noConnection }
    return Graph.ValkeyError(
      .unavailable, message: "\(noConnection.message); the last attempt: \(failure.message)")
  }
}
