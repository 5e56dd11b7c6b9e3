import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore

/// The queue of a store, and how its operations change.
struct QueueView: LiveView {
  private var queue: InspectedQueue?
  private var generation: UInt64 = 0
  private(set) var events: [LiveEvent] = []

  var emptied: QueueView { QueueView() }

  func reading(
    of contents: FileContents
  ) throws(Graph.StoreError) -> (queue: InspectedQueue, generation: UInt64) {
    (try InspectedQueue(contents), try contents.generation())
  }

  mutating func update(from reading: (queue: InspectedQueue, generation: UInt64)) {
    let isLogout = queue != nil && reading.generation != generation
    events = isLogout ? [LiveEvent("logout", "the data of the user was deleted")] : []
    events += Self.changes(from: queue, to: reading.queue)
    (queue, generation) = reading
  }

  var lines: [String] { queue.map { QueueText.lines($0, at: .now) } ?? ["no file"] }

  /// A first reading reports all operations as queued.
  private static func changes(from old: InspectedQueue?, to new: InspectedQueue) -> [LiveEvent] {
    let known = Dictionary(
      (old?.operations ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let now = Graph.Timestamp.now
    var events: [LiveEvent] = []
    let receipts = Dictionary(
      new.receipts.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
    let open = Set(new.operations.map(\.id))
    for operation in old?.operations ?? [] where !open.contains(operation.id) {
      events.append(ended(operation, receipts[operation.id]))
    }
    for operation in new.operations {
      let earlier = known[operation.id]
      if let earlier, earlier.state == operation.state, earlier.attempts == operation.attempts {
        continue
      }
      events.append(event(operation, isNew: earlier == nil, now))
    }
    return events
  }

  private static func event(
    _ operation: InspectedOperation, isNew: Bool, _ now: Graph.Timestamp
  ) -> LiveEvent {
    let text = "\(operation.state) \(operation.id) \(operation.entity) \(operation.name)"
    return LiveEvent(
      isNew ? "queued" : "moved", "\(text): \(QueueText.details(operation, at: now))",
      QueueText.json(operation, at: now))
  }

  private static func ended(
    _ operation: InspectedOperation, _ receipt: InspectedReceipt?
  ) -> LiveEvent {
    let text = "\(operation.id) \(operation.entity) \(operation.name)"
    guard let receipt else {
      return LiveEvent("dropped", text, ["operation": .string(operation.id)])
    }
    let reason = receipt.reason.map { ": \($0)" } ?? ""
    return LiveEvent("ended", "\(receipt.state) \(text)\(reason)", QueueText.json(receipt))
  }
}
