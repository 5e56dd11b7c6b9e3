extension Graph {
  /// A request that got no complete answer.
  public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, in a word. The set is open: compare, and keep a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      public let description: String

      /// A code of your own, for a transport of your own.
      public init(_ name: String) { description = name }

      /// No connection came about: the name is unknown, nothing listens, there is no network.
      public static let cannotConnect = Code("cannotConnect")
      /// The request's time was up.
      public static let timedOut = Code("timedOut")
      /// The connection broke before the answer was complete.
      public static let connectionLost = Code("connectionLost")
      /// The calling task was cancelled.
      public static let cancelled = Code("cancelled")
      /// The server's certificate or the secure connection was refused.
      public static let tls = Code("tls")
      /// The answer has more bytes than the limit.
      public static let tooLarge = Code("tooLarge")
      /// The request cannot be sent as it is.
      public static let invalidRequest = Code("invalidRequest")
      /// What came back is no HTTP answer, or cannot be decoded.
      public static let invalidResponse = Code("invalidResponse")
      /// A redirect that would lose the operation, lead in a circle or leave a secure connection.
      public static let redirectRefused = Code("redirectRefused")
      /// The platform lacks what the request needs.
      public static let unsupported = Code("unsupported")
    }

    /// What went wrong, in a word.
    public let code: Code
    /// For developers; it holds no header values.
    public let message: String
    /// The cause as the platform reports it.
    public let underlying: (any Error)?
    /// Whether the server may have seen the request.
    public let bytesSent: Bool

    /// A failure; unless stated, of a request that the server has not seen.
    public init(
      _ code: Code, message: String, underlying: (any Error)? = nil, bytesSent: Bool = false
    ) {
      self.code = code
      self.message = message
      self.underlying = underlying
      self.bytesSent = bytesSent
    }

    public var description: String { "\(code): \(message)" }

    /// The error of a request of which an earlier attempt may have been received.
    var afterSending: TransportError {
      TransportError(code, message: message, underlying: underlying, bytesSent: true)
    }
  }
}
