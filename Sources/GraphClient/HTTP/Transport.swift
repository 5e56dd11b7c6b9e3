import Foundation
import GraphQLRuntime

extension Graph {
  /// Carries requests to a server and returns the responses. The client needs nothing else, so a
  /// mock endpoint inside the process can replace the network.
  ///
  /// A transport
  /// - returns when the head of the response has arrived, whatever its status, and delivers the
  ///   body in pieces;
  /// - reports failures as ``TransportError``;
  /// - ends at once with `cancelled` when the calling task is cancelled;
  /// - respects ``HTTPRequest/timeout``;
  /// - does not send credentials to another origin, nor an operation unless it is allowed to (see
  ///   ``RedirectPolicy``).
  public protocol Transport: Sendable {
    /// Header fields that the transport sends with each request, in addition to the client's; none
    /// by default. The client sends them itself, and its own fields override them, so they
    /// determine whose responses the cache may return and which queries share one. A transport that
    /// wraps another one passes on its fields.
    var additionalHeaders: Headers { get }

    /// The head of the response to `request`, and its body while it arrives.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
  }
}

extension Graph.Transport {
  public var additionalHeaders: Graph.Headers { [:] }
}

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

extension Graph.TransportError: LocalizedError {
  /// A sentence in English that a user may see. For other languages, choose a text by ``code``.
  public var errorDescription: String? {
    switch code {
    case .cancelled: "The request was cancelled."
    case .timedOut: "The service did not respond in time."
    case .cannotConnect, .connectionLost: "The service cannot be reached."
    case .tls: "A secure connection to the service cannot be made."
    case .tooLarge: "The response of the service is too large."
    case .cannotWriteFile: "A file cannot be written."
    default: "The request failed."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension Graph.TransportError {
  /// The error of a call that times out.
  ///
  /// - Parameter activity: the current step: "while it waited for …".
  static func deadlineExceeded(_ activity: String, bytesSent: Bool) -> Graph.TransportError {
    Graph.TransportError(
      .timedOut, message: "the call timed out \(activity)", bytesSent: bytesSent)
  }
}
