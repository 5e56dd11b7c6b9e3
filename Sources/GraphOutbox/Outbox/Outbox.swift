import Dispatch
import GraphClient
import GraphQLRuntime
import GraphStore

/// Writes that survive offline times, crashes and retries.
///
/// ```swift
/// let outbox = try await Outbox(store: store, client: client)
/// try await outbox.transact(mutation, for: cart)
/// for await step in outbox.transitions() { print(step.to) }
/// ```
///
/// An operation is queued in the store's file and sent when the network allows: in order per object,
/// at least once, and with an idempotency key that survives restarts. What became of it is observed.
///
/// One outbox at a time works with a store's file.
public final class Outbox: Sendable {
  let queue: Queue
  let sender: Sender
  let configuration: Configuration
  /// Keeps operations in the order of their calls while files are read.
  let intake = DispatchQueue(label: "treeswift.outbox.intake", qos: .utility)

  /// Opens the queue in the store's file and begins to send.
  ///
  /// Operations that were on their way when the program ended are sent again where that is safe and
  /// are `uncertain` otherwise.
  ///
  /// - Throws: `StoreError`, in particular `file` for a store in memory.
  public init(
    store: Store, client: Graph.Client, configuration: Configuration = Configuration()
  ) async throws {
    queue = Queue(
      store: store, time: configuration.time, conflicts: configuration.conflicts)
    sender = Sender(queue: queue, client: client, configuration: configuration)
    self.configuration = configuration
    try await queue.open(
      receiptLifetime: configuration.receiptLifetime, verifies: configuration.verify != nil)
    await sender.start()
  }
}
