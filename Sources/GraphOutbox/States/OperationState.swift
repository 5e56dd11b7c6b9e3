extension Graph {
  /// The state of a queued operation.
  public enum OperationState: String, Sendable, Hashable, CaseIterable {
    /// It waits to be sent, for its entity's earlier operations, or for the end of a delay.
    case pending
    /// The server is busy, has requested a pause, cannot be reached, or its response was lost. The
    /// operation is sent after a delay. The reason contains the cause.
    case waiting
    /// It is being sent; from here on it may have reached the server.
    case inTransit
    /// The server has carried it out; its response is kept but not yet in the store.
    case delivered
    /// The server's response is in the store and the operation has left the queue.
    case received
    /// It may have been carried out and is not retried automatically.
    case uncertain
    /// It waits for new credentials.
    case awaitingCredentials = "parked"
    /// It needs an operation that has not been carried out yet.
    case blocked
    /// The server will not carry it out, or a needed operation was not carried out.
    case rejected
    /// The application cancelled it.
    case cancelled

    /// The states that may follow this one.
    public var successors: Set<OperationState> {
      switch self {
      case .pending: [.inTransit, .waiting, .blocked, .rejected, .cancelled]
      case .waiting: [.pending, .inTransit, .blocked, .rejected, .cancelled]
      case .blocked: [.pending, .rejected, .cancelled]
      case .inTransit:
        [.delivered, .received, .pending, .waiting, .uncertain, .awaitingCredentials, .rejected]
      case .delivered: [.received]
      case .uncertain: [.pending, .received, .rejected, .cancelled]
      case .awaitingCredentials: [.pending, .rejected, .cancelled]
      case .received, .rejected, .cancelled: []
      }
    }

    /// Whether the operation has left the queue and a receipt has replaced it.
    public var isFinal: Bool { successors.isEmpty }

    /// The state's name in the queue's table; see `QueueTables.state`.
    var stored: String { self == .waiting ? Self.pending.rawValue : rawValue }

    /// The state with which a new run recovers an operation of an earlier one.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether the server carries it out only once however often it is sent.
    ///   - isVerified: whether the program verifies its outcome; it stays in transit until then.
    func recovered(isRepeatable: Bool, isVerified: Bool) -> OperationState {
      switch self {
      case .inTransit where isRepeatable: .pending
      case .inTransit: isVerified ? .inTransit : .uncertain
      // The new run may have new credentials.
      case .awaitingCredentials: .pending
      default: self
      }
    }
  }
}

extension Graph.OperationState: CustomStringConvertible {
  public var description: String {
    self == .awaitingCredentials ? "awaitingCredentials" : rawValue
  }
}
