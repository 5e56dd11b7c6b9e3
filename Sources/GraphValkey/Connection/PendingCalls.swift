/// The calls whose commands were sent, in the order in which their values arrive.
struct PendingCalls {
  struct Entry {
    let call: ValkeyCall
    let sentAt: Int64
    var values: [ValkeyValue] = []
  }

  private var entries: [Entry] = []
  /// The index of the oldest.
  private var head = 0

  var count: Int { entries.count - head }
  var oldest: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ call: ValkeyCall, at now: Int64) {
    entries.append(Entry(call: call, sentAt: now))
  }

  /// Adds a value to the oldest call, and removes that call if it has all of its values.
  ///
  /// - Returns: nil if there is no call, which the server must not cause.
  mutating func receive(_ value: ValkeyValue) -> (call: ValkeyCall, values: [ValkeyValue]?)? {
    guard head < entries.count else { return nil }
    entries[head].values.append(value)
    let entry = entries[head]
    guard entry.values.count == entry.call.commands.count else { return (entry.call, nil) }
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 1024 {
      entries.removeFirst(head)
      head = 0
    }
    return (entry.call, entry.values)
  }

  /// The calls that still wait for their values.
  var waiting: [ValkeyCall] { entries[head...].lazy.map(\.call).filter { !$0.hasEnded } }
}
