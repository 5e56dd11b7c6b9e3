extension Graph.Headers {
  /// Adds the fields with which servers recognize that no form of another site sent a request. A
  /// request with the media type JSON does not need them.
  ///
  /// Browsers send such fields to another origin only after a preflight. The first field is that of
  /// GraphQL over HTTP ("Exercise caution"), the others are those of Apollo Server and Router, which
  /// accept either one.
  ///
  /// - Parameter operation: the operation's name.
  mutating func requirePreflight(of operation: String?) {
    self["GraphQL-Require-Preflight"] = "1"
    self["Apollo-Require-Preflight"] = "true"
    if let operation { self["X-Apollo-Operation-Name"] = operation }
  }
}
