import Foundation
import GraphClient

extension Graph {
  /// Where Valkey or Redis is, and how long to wait for it.
  public struct ValkeyConfiguration: Sendable {
    /// The address of a server.
    public enum Address: Sendable, Hashable {
      /// A host name or an IP address, and a port.
      case host(String, port: Int = 6379)
      /// The path of a Unix domain socket.
      case socket(URL)
    }

    /// A user of the server, or only a password for servers without users.
    public struct Credentials: Sendable {
      /// The user of the access control list; nil for the default user.
      public var user: String?
      /// The user's password.
      public var password: String

      /// A user with a password.
      public init(user: String? = nil, password: String) {
        self.user = user
        self.password = password
      }
    }

    /// The settings of a connection with TLS 1.2 or 1.3, which needs OpenSSL 3 or 1.1 (`libssl`) on the machine.
    ///
    /// The files are read for each connection, so they may be replaced while the program runs.
    public struct TLS: Sendable {
      /// The name or the IP address for which the server's certificate must be valid.
      public var serverName: String
      /// A PEM file with the trusted authorities; nil for those of the system.
      public var authorities: URL?
      /// A PEM file with the client's certificate, followed by those of the authorities in between.
      public var certificate: URL?
      /// A PEM file with the key of the client's certificate; nil if it is in the same file.
      public var key: URL?

      /// A connection to a server whose certificate is valid for that name.
      public init(serverName: String, authorities: URL? = nil) {
        self.serverName = serverName
        self.authorities = authorities
      }
    }

    /// How the server is found.
    public var topology: Topology
    /// The beginning of all keys. Services with different ones do not see each other's responses; processes of one
    /// service must have the same. It must not be empty.
    public var namespace: String
    /// The user and password; nil, the default, sends none.
    public var credentials: Credentials?
    /// The number of the database.
    public var database = 0
    /// The settings of TLS; nil, the default, sends everything in plain text.
    public var tls: TLS?
    /// The number of connections for commands, at least one; with a cluster, for each shard. Each carries many commands
    /// at the same time.
    public var connections = 2
    /// The maximum time of a command, which includes the wait for a first connection. After it, the client continues
    /// without the server. A removal may take ``connectTimeout``.
    public var timeout: Duration = .milliseconds(5)
    /// The maximum time until a connection is open and the user is authenticated, which includes the sentinels, or the
    /// nodes that know the master. No command except a removal waits longer than ``timeout`` for it.
    public var connectTimeout: Duration = .seconds(1)
    /// The waits between attempts to connect. Half of each is random. While the server cannot be reached, commands
    /// fail without a wait.
    public var backoff = Backoff(base: .milliseconds(50), maximum: .seconds(5))
    /// The maximum number of commands in progress on one connection. Further ones fail without a wait.
    public var maximumPending = 10_000

    /// Whether new connections check the server's history, see ``ServerScripts``. Tests connect to servers that do not have
    /// the keys, or are not masters.
    var checksHistory = true

    /// One server, without a password.
    public init(_ address: Address, namespace: String) {
      self.init(.server(address), namespace: namespace)
    }

    /// A server that is found in this way, without a password.
    ///
    /// ```swift
    /// let configuration = Graph.ValkeyConfiguration(
    ///   .sentinel(
    ///     master: "shop",
    ///     sentinels: [.host("sentinel-1", port: 26379), .host("sentinel-2", port: 26379)]),
    ///   namespace: "shop")
    /// ```
    public init(_ topology: Topology, namespace: String) {
      self.topology = topology
      self.namespace = namespace
    }
  }
}

extension Graph.ValkeyConfiguration.Credentials: CustomStringConvertible, CustomReflectable {
  /// The user, without the password.
  public var description: String { "Credentials(user: \(user ?? "default"))" }

  public var customMirror: Mirror { Mirror(self, children: ["user": user ?? "default"]) }
}

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
