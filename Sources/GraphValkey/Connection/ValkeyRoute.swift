import GraphClient

/// How new connections find the server.
enum ValkeyRoute: Sendable {
  case fixed(Graph.ValkeyConfiguration.Address)
  case sentinels(ValkeySentinels)
  case cluster(ValkeyCluster)

  init(
    _ library: HiredisLibrary, _ configuration: Graph.ValkeyConfiguration, _ keys: ValkeyKeys
  ) {
    switch configuration.topology {
    case .server(let address): self = .fixed(address)
    case .sentinel(let master, let addresses, let credentials, let tls):
      // All sentinels and the server have their share of the time.
      let limit = configuration.connectTimeout / (addresses.count + 1)
      self = .sentinels(
        ValkeySentinels(
          master: master, addresses: addresses,
          dialog: ValkeyDialog(library: library, credentials: credentials, tls: tls, limit: limit)))
    case .cluster(let nodes, _):
      self = .cluster(
        ValkeyCluster(
          slot: keys.slot, seeds: nodes,
          dialog: ValkeyDialog(
            library: library, credentials: configuration.credentials, tls: configuration.tls,
            limit: configuration.connectTimeout)))
    }
  }

  /// Where the server is at the moment. May block, so it is for a thread of its own.
  ///
  /// - Parameter failures: the number of attempts to connect that have failed in a row. Each asks another sentinel
  ///   or node first: one that does not know of a failover would report the old master forever.
  func server(
    after failures: Int
  ) throws(Graph.ValkeyError) -> Graph.ValkeyConfiguration.Address {
    switch self {
    case .fixed(let address): address
    case .sentinels(let sentinels): try sentinels.server(first: failures)
    case .cluster(let cluster): try cluster.server(first: failures)
    }
  }
}

extension Graph.ValkeyConfiguration {
  /// Whether connections must be to a master, which can become a replica.
  var requiresMaster: Bool {
    switch topology {
    case .server: false
    case .sentinel, .cluster: true
    }
  }

  /// - Throws: if there is no address, and as ``TLS/check()``.
  func check() throws(Graph.ValkeyError) {
    switch topology {
    case .sentinel(_, let addresses, _, _) where addresses.isEmpty:
      throw Graph.ValkeyError(
        .invalidConfiguration, message: "there must be the address of a sentinel")
    case .cluster(let nodes, _) where nodes.isEmpty:
      throw Graph.ValkeyError(
        .invalidConfiguration, message: "there must be the address of a node")
    default: break
    }
    try tls?.check()
    if case .sentinel(_, _, _, let tls?) = topology { try tls.check() }
  }
}
