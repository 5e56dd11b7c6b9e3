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
