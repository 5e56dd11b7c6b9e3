import GraphClient

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
