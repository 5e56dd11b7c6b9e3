import GraphClient

extension ValkeyValue {
  /// Whether the slot of the command's key is moving to another server of the cluster, which has the key already if it
  /// exists.
  var isRedirection: Bool { error?.hasPrefix("ASK ") == true }

  /// The server to which the slot is moving; nil without a redirection.
  ///
  /// - Parameter server: the server that has sent the value. It may be configured to leave out the host, which is then the
  ///   same.
  func redirection(
    from server: Graph.ValkeyConfiguration.Address?
  ) -> Graph.ValkeyConfiguration.Address? {
    guard isRedirection, let text = error?.split(separator: " ").last,
      let colon = text.lastIndex(of: ":"), let port = Int(text[colon...].dropFirst())
    else { return nil }
    let host = text[..<colon]
    return host.isEmpty || host == "?"
      ? server?.with(port: port) : .host(String(host), port: port)
  }
}
