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
/// One outbox at a time works with a store's file; a second one is refused, in this process and in others.
/// One that is closed or let go of sends nothing more.
public final class Outbox: Sendable {
  let queue: Queue
  let sender: Sender
  let configuration: Configuration
  let lock: OutboxLock
  /// Keeps operations in the order of their calls while files are read.
  let intake = DispatchQueue(label: "treeswift.outbox.intake", qos: .utility)

  /// Opens the queue in the store's file and begins to send.
  ///
  /// Operations that were on their way when the program ended are sent again where that is safe and
  /// are `uncertain` otherwise.
  ///
  /// - Throws: ``OutboxError``: `alreadyOpen` where another outbox works with the file; `StoreError`, in
  ///   particular `file` for a store in memory.
  public init(
    store: Store, client: Graph.Client, configuration: Configuration = Configuration()
  ) async throws {
    lock = try await OutboxLock.take(
      besideStoreAt: store.sidePath(), patience: configuration.lockTimeout)
    queue = Queue(store: store, configuration: configuration)
    sender = Sender(queue: queue, client: client, configuration: configuration, lock: lock)
    self.configuration = configuration
    let leftovers: [QueuedOperation]
    do {
      leftovers = try await queue.open(
        receiptLifetime: configuration.receiptLifetime, verifies: configuration.verify != nil)
    } catch {
      lock.close()
      throw error
    }
    await sender.start(verifying: leftovers)
  }
  deinit {
    lock.close()
    queue.hub.end()
  }

  /// Sends nothing more, waits until what is on its way has been settled, and lets go of the file for
  /// another outbox. What is queued stays in the file. Sequences end; calls that would change something
  /// throw `closed`.
  ///
  /// An outbox that is let go of is closed as well, without a wait: another one of the same process that
  /// is opened meanwhile waits in its place, up to ``Configuration/lockTimeout``.
  public func close() async {
    lock.close()
    await sender.stop()
    queue.hub.end()
  }

  /// - Throws: ``OutboxError``: `closed`.
  func checkOpen() throws(OutboxError) {
    if lock.isClosed { throw .closed }
  }
}
