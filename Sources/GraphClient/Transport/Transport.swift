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
  /// - does not send credentials to another origin.
  public protocol Transport: Sendable {
    /// The head of the answer to `request`, and its body while it arrives.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
  }
}
