import CHiredis
import GraphClient

/// Commands on a connection that is closed after them. They block the thread.
struct ValkeyDialog: Sendable {
  let library: HiredisLibrary
  let credentials: Graph.ValkeyConfiguration.Credentials?
  let tls: Graph.ValkeyConfiguration.TLS?
  /// The maximum time to connect, and the maximum time to wait for all values.
  let limit: Duration

  /// The values of the commands, after that of the authentication if there is one.
  ///
  /// - Returns: nil if the server does not respond in time.
  /// - Throws: if the server refuses a command, or its bytes are not the protocol.
  func values(
    of commands: ValkeyCommands, at address: Graph.ValkeyConfiguration.Address,
    within shorterLimit: Duration? = nil
  ) throws(Graph.ValkeyError) -> [ValkeyValue]? {
    let limit = shorterLimit ?? limit
    let end = ValkeyClock.now + limit.nanoseconds
    let descriptor = address.connect(within: limit)
    guard descriptor >= 0,
      let stream = ValkeyStream(
        library, descriptor, tls, within: .nanoseconds(max(0, end - ValkeyClock.now)))
    else { return nil }
    var all = ValkeyCommands.authentication(credentials)
    all.append(contentsOf: commands)
    guard stream.append(all.bytes) else { return nil }
    var values: [ValkeyValue] = []
    while values.count < all.count {
      let written = stream.write()
      guard written != CHIREDIS_FAILED,
        wait(for: descriptor, toWrite: written == CHIREDIS_LATER, until: end)
      else { return nil }
      let (status, _) = stream.read()
      while let value = try stream.next() { values.append(try value.checked()) }
      if status == CHIREDIS_FAILED, values.count < all.count { return nil }
    }
    return values
  }

  // Safe: the call writes to the one entry.
  private func wait(for descriptor: Int32, toWrite: Bool, until end: Int64) -> Bool {
    let left = end - ValkeyClock.now
    guard left > 0 else { return false }
    var entry = chiredis_entry(
      descriptor: descriptor, waits_to_read: true, waits_to_write: toWrite, is_ready: false)
    unsafe chiredis_wait(&entry, 1, Int32(clamping: (left + 999_999) / 1_000_000))
    return entry.is_ready
  }
}
