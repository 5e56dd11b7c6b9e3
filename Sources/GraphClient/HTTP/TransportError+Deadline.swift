extension Graph.TransportError {
  /// The error of a call that times out.
  ///
  /// - Parameter activity: the current step: "while it waited for …".
  static func deadlineExceeded(_ activity: String, bytesSent: Bool) -> Graph.TransportError {
    Graph.TransportError(
      .timedOut, message: "the call timed out \(activity)", bytesSent: bytesSent)
  }
}
