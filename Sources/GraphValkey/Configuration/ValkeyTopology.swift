import Foundation
import GraphClient

extension Graph.ValkeyConfiguration {
  /// How the server is found.
  public enum Topology: Sendable {
    /// One server, always at the same address.
    case server(Address)
    /// The master of a group of servers, which Redis Sentinel or Valkey Sentinel monitors.
    ///
    /// Each new connection asks the sentinels for the master until one responds, first in this order; after a failure,
    /// it begins with the next one. It is used only if that server is a master.
    ///
    /// - Parameters:
    ///   - master: the name of the group in the configuration of the sentinels.
    ///   - sentinels: their addresses. Sentinels usually have the port 26379.
    ///   - credentials: the user of the sentinels; ``Graph/ValkeyConfiguration/credentials`` is that of the servers.
    ///   - tls: the settings of TLS for the sentinels; ``Graph/ValkeyConfiguration/tls`` is for the servers, which all
    ///     must have a certificate for the same name.
    case sentinel(
      master: String, sentinels: [Address], credentials: Credentials? = nil, tls: TLS? = nil)
    /// The servers of a cluster.
    ///
    /// Each new connection asks the nodes for the master of its keys until one responds, first in this order; after a
    /// failure, it begins with the next one. Nodes that they name are asked as well.
    ///
    /// - Parameters:
    ///   - nodes: the addresses of some nodes.
    ///   - shards: the number of parts into which the keys of the namespace are divided, 1 to 64. Each is on one master
    ///     and has connections of its own; removing responses takes one command for each. A good number is that of the
    ///     masters. All processes of a service must have the same.
    case cluster(nodes: [Address], shards: Int = 1)
  }
}

extension Graph.ValkeyConfiguration.Topology: CustomStringConvertible, CustomReflectable {
  /// The addresses, without the password.
  public var description: String {
    switch self {
    case .server(let address): "\(address)"
    case .sentinel(let master, let sentinels, _, _):
      "\(master) at \(sentinels.map(\.description).joined(separator: ", "))"
    case .cluster(let nodes, let shards):
      "a cluster at \(nodes.map(\.description).joined(separator: ", ")), shards: \(shards)"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: ["topology": description]) }
}

extension Graph.ValkeyConfiguration.Address: CustomStringConvertible {
  /// The name or address with the port, or the path.
  public var description: String {
    switch self {
    case .host(let name, let port): "\(name):\(port)"
    case .socket(let url): url.path
    }
  }
}
