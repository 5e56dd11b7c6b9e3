import GraphClient

/// The commands that are sent on a new connection before it is used.
struct ValkeyHandshake: Sendable {
  /// The next commands; nil if the connection is ready.
  ///
  /// - Parameter step: 0 for the first, with no values.
  let next:
    @Sendable (_ step: Int, _ values: [ValkeyValue]) throws(Graph.ValkeyError) -> ValkeyCommands?

  /// The command that must be sent before others if the server may have become a replica and the master again since the
  /// connection was used; nil if it cannot.
  var checkAfterPause: ValkeyCommands?

  /// Authenticates the user, selects the database, and checks the server's history, see ``ServerScripts``.
  static func commands(
    _ configuration: Graph.ValkeyConfiguration, _ keys: ValkeyKeys
  ) -> ValkeyHandshake {
    let historyCheck = ValkeyCommands("EVAL", ServerScripts.check, "1", keys.all)
    var handshake = ValkeyHandshake { step, values throws(Graph.ValkeyError) in
      if step == 2 {
        try checkHistory(values)
        return nil
      }
      try check(values)
      if step == 0 { return beginning(configuration, keys) }
      // Otherwise, there was a value without a command, and each command would get that of the one before it.
      guard values.last?.text == "PONG" else { throw .valueWithoutCommand }
      return configuration.checksHistory ? historyCheck : nil
    }
    // A server without sentinels or a cluster does not change its role while it keeps its connections.
    if configuration.requiresMaster, configuration.checksHistory {
      handshake.checkAfterPause = historyCheck
    }
    return handshake
  }

  private static func checkHistory(_ values: [ValkeyValue]) throws(Graph.ValkeyError) {
    guard let value = values.last, !value.isRedirection, value != .integer(1) else { return }
    guard let error = value.error else { throw .valueWithoutCommand }
    throw Graph.ValkeyError(
      .refused,
      message:
        "the server does not tell whether it has lost changes: \(error.prefix { $0 != " " })."
        + " It must be a master, and permit EVAL with INFO")
  }

  /// The last command shows that the server works: a server that is loading its data, or requires a password, refuses
  /// it.
  static func beginning(
    _ configuration: Graph.ValkeyConfiguration, _ keys: ValkeyKeys
  ) -> ValkeyCommands {
    var commands = ValkeyCommands.authentication(configuration.credentials)
    if configuration.database != 0 { commands.append("SELECT", String(configuration.database)) }
    switch configuration.topology {
    case .server: break
    case .sentinel: commands.append("HELLO", "2")
    // Another node than the master of the slot refuses a command with a key. A server that is not part of a cluster, and
    // has the address of a node by now, refuses the second command. The next one, without a key, ends its effect.
    case .cluster:
      commands.append("GET", keys.all)
      commands.append("ASKING")
    }
    commands.append("PING")
    return commands
  }

  /// - Throws: if the server has refused a command, or has described itself as a replica.
  static func check(_ values: [ValkeyValue]) throws(Graph.ValkeyError) {
    // The key may have moved to the next master already, but not all keys of the slot.
    for value in values where !value.isRedirection {
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

/// The parts of scripts that find out whether the server has become the master since a generation was created.
///
/// A server that has restarted with the data of a file, or that has replaced the master, may lack the last changes: a
/// removal would be undone. So the generation of all responses ends with the beginning of the server's replication
/// identifier (`master_replid`), which is another one after each restart and each promotion. New connections delete a
/// generation with another end. Without it, no response counts.
enum ServerScripts {
  private static let history = """
    local function history()
      local information = redis.call('INFO', 'replication')
      return string.match(information, 'role:master.-master_replid:(%x%x%x%x%x%x%x%x)')
    end

    """

  /// A function that makes a generation of this server of a random one. It fails on a server that is not a master.
  static let generation =
    history + """
      local function ofThisServer(generation) return string.sub(generation, 1, 8) .. history() end

      """

  /// Deletes the generation, which is the key, if it is older than the server's history as a master. Returns 1, or an
  /// error if the server is not a master or does not tell.
  static let check =
    history + """
      local history = history()
      if not history then return redis.error_reply('HISTORY there is no master_replid of a master') end
      local generation = redis.call('GET', KEYS[1])
      if generation and string.sub(generation, 9) ~= history then redis.call('UNLINK', KEYS[1]) end
      return 1
      """
}
