import GraphClient

/// The commands that are sent on a new connection before it is used.
struct ValkeyHandshake: Sendable {
  /// The next commands; nil if the connection is ready.
  ///
  /// - Parameter step: 0 for the first, with no values.
  let next:
    @Sendable (_ step: Int, _ values: [ValkeyValue]) throws(Graph.ValkeyError) -> ValkeyCommands?

  /// Authenticates the user and selects the database. The last command shows that the server works: a server that
  /// is loading its data, or requires a password, refuses it.
  static func commands(_ configuration: Graph.ValkeyConfiguration) -> ValkeyHandshake {
    ValkeyHandshake { step, values throws(Graph.ValkeyError) in
      for value in values { _ = try value.checked() }
      return step == 0 ? beginning(configuration) : nil
    }
  }

  static func beginning(_ configuration: Graph.ValkeyConfiguration) -> ValkeyCommands {
    var commands = ValkeyCommands()
    if let credentials = configuration.credentials {
      if let user = credentials.user {
        commands.append("AUTH", user, credentials.password)
      } else {
        commands.append("AUTH", credentials.password)
      }
    }
    if configuration.database != 0 { commands.append("SELECT", String(configuration.database)) }
    commands.append("PING")
    return commands
  }
}
