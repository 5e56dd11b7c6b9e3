extension Graph.QueryError {
  /// Why a web socket could not be opened, or ended, as an error of the client.
  init(socket error: any Error) {
    let failure = error as? Graph.TransportError
    switch failure?.underlying {
    case let refusal as Graph.HandshakeRefusal:
      self = .status(
        Graph.FailedResponse(status: refusal.status, headers: refusal.headers), cause: failure)
    case let closure as Graph.WebSocketClosure: self = Self.closed(closure, error)
    default: self = Graph.QueryError(error)
    }
  }

  /// The protocol's close codes, and those of RFC 6455, section 7.4.1, grouped by how the client
  /// can react.
  private static func closed(
    _ closure: Graph.WebSocketClosure, _ failure: any Error
  ) -> Graph.QueryError {
    func other(_ code: Code, _ message: String) -> Graph.QueryError {
      Graph.QueryError(code, message: "\(message) (\(closure))", cause: closure)
    }
    return switch closure.code {
    case 4401: other(.unauthenticated, "the server refuses the credentials")
    case 4403: other(.unauthenticated, "the server forbids the connection")
    case 4408:
      Graph.QueryError(
        Graph.TransportError(
          .timedOut, message: "the server did not receive connection_init in time (\(closure))",
          underlying: closure, bytesSent: true))
    case 4400: other(.protocolViolation, "the server rejected a message as invalid")
    case 4406: other(.protocolViolation, "the server does not support the subprotocol")
    case 4409: other(.protocolViolation, "the server received two operations with the same id")
    case 4429: other(.protocolViolation, "the server received connection_init twice")
    case 1002, 1003, 1007...1010:
      other(.protocolViolation, "the server rejected a frame")
    // 4499, which ends a connection without a statement, and errors that are not caused by the
    // client.
    default: Graph.QueryError(failure)
    }
  }

  var isUnauthenticated: Bool { code == .unauthenticated }
}

extension Graph.RetryPolicy {
  /// The delay before the next connection; nil after the last attempt, and if a retry does not help.
  ///
  /// - Parameter failures: the number of failed connections in a row, including this one.
  func socketDelay(
    _ error: Graph.QueryError, failures: Int, time: any Graph.TimeSource
  ) -> Duration? {
    guard failures < maximumAttempts else { return nil }
    if error.code == .transport, error.transportError?.code == .timedOut {
      return delay(.backOff, after: failures, time: time)
    }
    return delay(
      Graph.RetryDecision(.failure(error), now: time.now), after: failures, time: time)
  }
}
