extension Graph {
  /// A request without a complete response.
  public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      public let description: String

      /// A code of your own, for your own transport.
      public init(_ name: String) { description = name }

      /// No connection could be opened: the name is unknown, nothing listens, there is no network.
      public static let cannotConnect = Code("cannotConnect")
      /// The request timed out.
      public static let timedOut = Code("timedOut")
      /// The connection failed before the response was complete.
      public static let connectionLost = Code("connectionLost")
      /// The calling task was cancelled.
      public static let cancelled = Code("cancelled")
      /// The server's certificate or the secure connection was refused.
      public static let tls = Code("tls")
      /// The response has more bytes than the limit.
      public static let tooLarge = Code("tooLarge")
      /// The request cannot be sent as it is.
      public static let invalidRequest = Code("invalidRequest")
      /// A copy of a file to upload cannot be written: the disk may be full.
      public static let cannotWriteFile = Code("cannotWriteFile")
      /// The response is not HTTP, or cannot be decoded.
      public static let invalidResponse = Code("invalidResponse")
      /// A redirect that would lose the operation, form a cycle or leave a secure connection.
      public static let redirectRefused = Code("redirectRefused")
      /// The platform lacks what the request needs.
      public static let unsupported = Code("unsupported")
    }

    /// The kind of failure.
    public let code: Code
    /// For developers; it contains no header values.
    public let message: String
    /// The cause as the platform reports it.
    public let underlying: (any Error)?
    /// Whether the server may have received a part of the request.
    public let bytesSent: Bool

    /// A failure; by default, of a request that the server has not received.
    public init(
      _ code: Code, message: String, underlying: (any Error)? = nil, bytesSent: Bool = false
    ) {
      self.code = code
      self.message = message
      self.underlying = underlying
      self.bytesSent = bytesSent
    }

    public var description: String { "\(code): \(message)" }

    /// Whether nothing of a body is read after it. After another failure, what arrived before can still be read.
    var endsReading: Bool { code == .cancelled || code == .tooLarge }

    /// The error of a request of which an earlier attempt may have been received.
    var afterSending: TransportError {
      TransportError(code, message: message, underlying: underlying, bytesSent: true)
    }
  }
}
