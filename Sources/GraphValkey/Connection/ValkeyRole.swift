import GraphClient

extension ValkeyValue {
  /// The role of a server in its value for `HELLO`, which is a list of names and values. `ROLE` would require a
  /// permission that users seldom have.
  var role: String? {
    guard let parts = array, let name = parts.firstIndex(where: { $0.text == "role" }),
      name + 1 < parts.endIndex
    else { return nil }
    return parts[name + 1].text
  }

  /// Whether the server has refused a command because it is not, or is no longer, the master of the keys.
  var isRefusalOfMaster: Bool {
    guard let error else { return false }
    return error.hasPrefix("READONLY ") || error.hasPrefix("MASTERDOWN ")
      || error.hasPrefix("MOVED ") || error.hasPrefix("CLUSTERDOWN ")
      // Redis 6 reports the error of a script in this form.
      || error.contains(" -READONLY ")
  }
}

extension Graph.ValkeyError {
  static let isReplica = Graph.ValkeyError(.unavailable, message: "the server is a replica")
  static let isNotMaster = Graph.ValkeyError(
    .connectionLost, message: "the server is not the master of the keys")
  static let hasMoved = Graph.ValkeyError(
    .connectionLost, message: "another connection has found a new master")
}
