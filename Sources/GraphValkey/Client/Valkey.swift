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

/// Divides the keys of a namespace over the servers of a cluster.
///
/// A cluster requires that all keys of a command are in the same of its 16,384 slots. So the names of all keys of a
/// shard contain the same text in braces, which alone determines the slot.
struct ValkeyShards: Sendable {
  /// Never empty.
  let all: [ValkeyShard]

  init(
    _ configuration: Graph.ValkeyConfiguration, _ library: HiredisLibrary
  ) throws(Graph.ValkeyError) {
    let namespace = configuration.namespace
    guard case .cluster(_, let count) = configuration.topology else {
      all = [try ValkeyShard(configuration, library, ValkeyKeys(prefix: namespace))]
      return
    }
    precondition(1...64 ~= count, "a cluster must have 1 to 64 shards")
    guard !namespace.contains(where: { "{}".contains($0) }) else {
      throw Graph.ValkeyError(
        .invalidConfiguration, message: "the namespace of a cluster must not contain braces")
    }
    guard configuration.database == 0 else {
      throw Graph.ValkeyError(
        .invalidConfiguration, message: "a cluster has only the database with the number 0")
    }
    var all: [ValkeyShard] = []
    for index in 0..<count {
      let tag = HashSlot.tag(namespace, shard: index, of: count)
      all.append(try ValkeyShard(configuration, library, ValkeyKeys(prefix: "{\(tag)}")))
    }
    self.all = all
  }

  /// The shard with the response and all that belongs to it.
  func shard(of key: Graph.CacheKey) -> ValkeyShard { shard("\(key.scope):\(key.name)") }

  /// The shard with the budget of a scope.
  func shard(ofBudget scope: String) -> ValkeyShard { shard(scope) }

  private func shard(_ name: String) -> ValkeyShard {
    all.count == 1 ? all[0] : all[HashSlot.of(name.utf8) % all.count]
  }
}

extension ValkeyShards {
  /// Does the same with all shards at the same time.
  ///
  /// - Throws: the first error, after all have ended.
  func forEach(
    _ body: @escaping @Sendable (ValkeyShard) async throws(Graph.ValkeyError) -> Void
  ) async throws(Graph.ValkeyError) {
    if all.count == 1 { return try await body(all[0]) }
    let failure = await withTaskGroup(of: Graph.ValkeyError?.self) { group in
      for shard in all {
        group.addTask {
          do throws(Graph.ValkeyError) {
            try await body(shard)
            return nil
          } catch {
            return error
          }
        }
      }
      var failure: Graph.ValkeyError?
      for await error in group { failure = failure ?? error }
      return failure
    }
    if let failure { throw failure }
  }
}
