import GraphClient
import GraphQLRuntime

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
