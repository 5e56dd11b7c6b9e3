import GraphClient

/// The decision about an operation after an attempt.
enum AttemptDecision: Sendable, Equatable {
  case deliver
  /// The program knows that it was carried out.
  ///
  /// - Parameter key: the server's key of the object that it created, if any.
  case confirm(key: String?)
  /// - Parameter isUndone: whether the program knows that no attempt has carried it out.
  case retry(after: Duration, RefusalCount, isUndone: Bool = false)
  /// The operation waits for the network or the server.
  ///
  /// - Parameter isDoubtful: whether it may nevertheless have been carried out.
  case wait(Graph.RejectionReason, Waiting, after: Duration, isDoubtful: Bool = false)
  case awaitCredentials
  case markUncertain(Graph.RejectionReason, RefusalCount)
  /// The rule for conflicts changes the operation, which is then retried, or rejects it.
  case resolve(Graph.RejectionReason, RefusalCount)
  case reject(Graph.RejectionReason)

  /// The resulting state of the operation.
  var state: Graph.OperationState {
    switch self {
    case .deliver: .delivered
    case .confirm: .received
    case .retry, .resolve: .pending
    case .wait: .waiting
    case .awaitCredentials: .awaitingCredentials
    case .markUncertain: .uncertain
    case .reject: .rejected
    }
  }
}

/// The cause of the wait of an operation that is `waiting`, as in the queue's table.
enum Waiting: Int64, Sendable {
  /// The network: the server has not received it. There is no time limit.
  case network = 1
  /// The server, which has not requested a specific delay.
  case server
  /// The server, which has requested the delay.
  case requested
}
