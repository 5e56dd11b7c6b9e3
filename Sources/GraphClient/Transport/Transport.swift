extension Graph {
  /// Carries requests to a server and answers back. The client needs nothing else, so an in-process
  /// endpoint can stand in for a network.
  ///
  /// A transport
  /// - returns when the head of the answer is there, whatever its status, and delivers the body in
  ///   pieces;
  /// - reports failures as ``TransportError``;
  /// - ends at once with `cancelled` when the calling task is cancelled;
  /// - keeps to ``HTTPRequest/timeout``;
  /// - does not send credentials to another origin, nor an operation unless it is allowed to (see
  ///   ``RedirectPolicy``).
  public protocol Transport: Sendable {
    /// Header fields that the transport sends with each request, beside those that the client makes;
    /// none unless stated. The client sends them itself, below fields of its own, so that they decide
    /// whose answers the cache may give and which queries share one. A transport around another one
    /// passes on those of the other.
    var additionalHeaders: Headers { get }

    /// The head of the answer to `request`, and its body while it arrives.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
  }
}

extension Graph.Transport {
  public var additionalHeaders: Graph.Headers { [:] }
}
