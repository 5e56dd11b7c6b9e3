import Foundation
import GraphClient

extension Graph {
  /// A few connections to a Valkey or Redis server, over hiredis. All are to the same server, or to the same one for each
  /// part of the keys of a cluster.
  ///
  /// Nothing is opened before the first command. Many commands are in progress on one connection at the same time. A
  /// command takes no longer than ``ValkeyConfiguration/timeout``, and a removal no longer than
  /// ``ValkeyConfiguration/connectTimeout``. While the server cannot be reached, commands fail
  /// without a wait, and connections are opened one at a time, at growing intervals.
  ///
  /// ```swift
  /// let valkey = try Graph.Valkey(.init(.host("cache.internal"), namespace: "shop"))
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.storage = Graph.ValkeyStorage(valkey)
  /// ```
  public final class Valkey: Sendable {
    /// The settings with which it was created.
    public let configuration: ValkeyConfiguration
    let shards: ValkeyShards

    /// Connections that are opened when they are needed.
    ///
    /// - Throws: `unsupported` if this machine has no hiredis, or if the configuration requires TLS and there is no
    ///   OpenSSL; `invalidConfiguration` for files of certificates that cannot be used, for settings that a cluster does
    ///   not have, and if there is no address.
    public convenience init(_ configuration: ValkeyConfiguration) throws(ValkeyError) {
      guard let library = HiredisLibrary.installed else { throw .hiredisIsMissing }
      try self.init(configuration, library)
    }

    init(_ configuration: ValkeyConfiguration, _ library: HiredisLibrary) throws(ValkeyError) {
      precondition(!configuration.namespace.isEmpty, "the namespace must not be empty")
      try configuration.check()
      self.configuration = configuration
      shards = try ValkeyShards(configuration, library)
    }

    /// Whether this machine has hiredis.
    public static var isSupported: Bool { HiredisLibrary.installed != nil }

    /// Whether a connection is open; with a cluster, one for each shard. Those of a shard are opened by its first
    /// command, or by ``ping()``.
    public var isConnected: Bool { shards.all.allSatisfy(\.isConnected) }

    /// Waits for a response of the server, or of all servers that have a part of the keys.
    public func ping() async throws(ValkeyError) {
      try await shards.forEach { shard throws(ValkeyError) in
        _ = try await shard.send(ValkeyCommands("PING"))
      }
    }
  }
}

extension Graph.Valkey: CustomStringConvertible, CustomReflectable {
  /// The addresses and the namespace.
  public var description: String {
    "Graph.Valkey(\(configuration.topology), \(configuration.namespace))"
  }

  public var customMirror: Mirror { Mirror(self, children: ["valkey": description]) }
}
