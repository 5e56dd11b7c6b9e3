import GraphClient
import GraphQLRuntime

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

/// The processes that know which server of a group is its master.
struct ValkeySentinels: Sendable {
  typealias Address = Graph.ValkeyConfiguration.Address

  let master: String
  let addresses: [Address]
  let dialog: ValkeyDialog

  /// The master, as far as the first sentinel knows that responds and knows the group.
  ///
  /// - Parameter first: the number of the sentinel that is asked first, which may be larger than their count.
  func server(first: Int) throws(Graph.ValkeyError) -> Address {
    // Why a sentinel does not report a master is a better explanation than that another one does not respond.
    var failure = Graph.ValkeyError(.unavailable, message: "none of the sentinels responds")
    for offset in addresses.indices {
      let sentinel = addresses[(first + offset) % addresses.count]
      do throws(Graph.ValkeyError) {
        if let server = try ask(sentinel) { return server }
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// - Returns: nil if the sentinel does not respond.
  private func ask(_ sentinel: Address) throws(Graph.ValkeyError) -> Address? {
    let commands = ValkeyCommands("SENTINEL", "GET-MASTER-ADDR-BY-NAME", master)
    guard let value = try dialog.values(of: commands, at: sentinel)?.last else { return nil }
    guard let parts = value.array, parts.count == 2, let host = parts[0].text,
      let port = parts[1].text.flatMap({ Int($0) })
    else {
      throw Graph.ValkeyError(
        .unavailable, message: "the sentinels do not know a master with the name \(master)")
    }
    return .host(host, port: port)
  }
}

/// The nodes of a cluster, which know which of them is the master of a slot.
final class ValkeyCluster: Sendable {
  typealias Address = Graph.ValkeyConfiguration.Address

  /// The number of nodes that are asked although each lets its share of the time pass.
  private static let attempts = 3

  private let slot: Int
  private let seeds: [Address]
  private let dialog: ValkeyDialog
  /// Those of the last map of slots, so that the cluster is found without the addresses of the configuration.
  private let nodes = Locked<[Address]>([])

  /// - Parameter slot: the slot of all keys of the shard.
  init(slot: Int, seeds: [Address], dialog: ValkeyDialog) {
    self.slot = slot
    self.seeds = seeds
    self.dialog = dialog
  }

  /// The master of the slot, as far as the first node knows that responds.
  ///
  /// - Parameter first: the number of the attempt, which begins after the nodes of the one before it.
  func server(first: Int) throws(Graph.ValkeyError) -> Address {
    let others = nodes.withLock { $0 }
    let all = seeds + others.filter { !seeds.contains($0) }
    // A few nodes and the master have their share of the time. The next attempt begins with another node.
    let limit = dialog.limit / (min(all.count, Self.attempts) + 1)
    let end = ValkeyClock.now + (dialog.limit - limit).nanoseconds
    var failure = Graph.ValkeyError(.unavailable, message: "no node of the cluster responds")
    for offset in all.indices where ValkeyClock.now < end {
      do throws(Graph.ValkeyError) {
        if let server = try ask(all[(first * Self.attempts + offset) % all.count], within: limit) {
          return server
        }
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// - Returns: nil if the node does not respond.
  private func ask(
    _ node: Address, within limit: Duration
  ) throws(Graph.ValkeyError) -> Address? {
    let commands = ValkeyCommands("CLUSTER", "SLOTS")
    guard let value = try dialog.values(of: commands, at: node, within: limit)?.last else {
      return nil
    }
    let ranges = SlotRange.all(value, node)
    guard let range = ranges.first(where: { $0.slots.contains(slot) }) else {
      throw Graph.ValkeyError(
        .unavailable, message: "the cluster has no server for a part of the keys")
    }
    nodes.withLock { $0 = Array(Set(ranges.flatMap(\.servers))) }
    return range.servers[0]
  }
}

/// Slots that are next to each other and on the same servers.
private struct SlotRange {
  let slots: ClosedRange<Int>
  /// The master and its replicas.
  let servers: [Graph.ValkeyConfiguration.Address]

  /// The ranges in the value of `CLUSTER SLOTS`.
  ///
  /// - Parameter node: the node that has sent it. Nodes that do not know their own address leave it out.
  static func all(
    _ value: ValkeyValue, _ node: Graph.ValkeyConfiguration.Address
  ) -> [SlotRange] {
    (value.array ?? []).compactMap { value in
      guard let parts = value.array, parts.count > 2, let first = parts[0].integer,
        let last = parts[1].integer, 0 <= first, first <= last, last < HashSlot.count
      else { return nil }
      let servers = parts[2...].compactMap { server -> Graph.ValkeyConfiguration.Address? in
        guard let fields = server.array, fields.count > 1, let port = fields[1].integer else {
          return nil
        }
        switch fields[0].text {
        case nil, "": return node.with(port: Int(port))
        // The node has no host name, which the server is configured to report.
        case "?": return address(in: fields.dropFirst(3).first).map { .host($0, port: Int(port)) }
        case let host?: return .host(host, port: Int(port))
        }
      }
      guard servers.count == parts.count - 2 else { return nil }
      return SlotRange(slots: Int(first)...Int(last), servers: servers)
    }
  }

  /// The IP address in a list of names and values.
  private static func address(in details: ValkeyValue?) -> String? {
    let texts = details?.array?.map(\.text) ?? []
    guard let index = texts.firstIndex(of: "ip"), index + 1 < texts.count else { return nil }
    return texts[index + 1]
  }
}

extension Graph.ValkeyConfiguration.Address {
  func with(port: Int) -> Self {
    if case .host(let name, _) = self { .host(name, port: port) } else { self }
  }
}
