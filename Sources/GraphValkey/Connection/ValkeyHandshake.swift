import GraphClient

/// The commands that are sent on a new connection before it is used.
struct ValkeyHandshake: Sendable {
  /// The next commands; nil if the connection is ready.
  ///
  /// - Parameter step: 0 for the first, with no values.
  let next:
    @Sendable (_ step: Int, _ values: [ValkeyValue]) throws(Graph.ValkeyError) -> ValkeyCommands?

  /// Authenticates the user and selects the database.
  static func commands(_ configuration: Graph.ValkeyConfiguration) -> ValkeyHandshake {
    ValkeyHandshake { step, values throws(Graph.ValkeyError) in
      try check(values)
      return step == 0 ? beginning(configuration) : nil
    }
  }

  /// The last command shows that the server works: a server that is loading its data, or requires a password, refuses
  /// it.
  static func beginning(_ configuration: Graph.ValkeyConfiguration) -> ValkeyCommands {
    var commands = ValkeyCommands.authentication(configuration.credentials)
    if configuration.database != 0 { commands.append("SELECT", String(configuration.database)) }
    if configuration.requiresMaster { commands.append("HELLO", "2") }
    commands.append("PING")
    return commands
  }

  /// - Throws: if the server has refused a command, or has described itself as a replica.
  static func check(_ values: [ValkeyValue]) throws(Graph.ValkeyError) {
    for value in values {
      guard let role = try value.checked().role, role != "master" else { continue }
      throw .isReplica
    }
  }
}

extension ValkeyCommands {
  /// No command without credentials.
  static func authentication(
    _ credentials: Graph.ValkeyConfiguration.Credentials?
  ) -> ValkeyCommands {
    var commands = ValkeyCommands()
    guard let credentials else { return commands }
    if let user = credentials.user {
      commands.append("AUTH", user, credentials.password)
    } else {
      commands.append("AUTH", credentials.password)
    }
    return commands
  }
}
