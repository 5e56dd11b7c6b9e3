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
/// One that is closed or released sends nothing more.
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
      lock.release()
      throw error
    }
    await sender.start(verifying: leftovers)
  }

  deinit {
    lock.close()
    queue.hub.end()
    Task { [sender] in await sender.stop() }
  }

  /// Sends nothing more, waits until each operation that was sent is settled on disk, and releases the file
  /// for another outbox. What is queued stays in the file. Sequences end; calls that would change something
  /// throw `closed`.
  ///
  /// Requests are waited for up to their time limits, which are the client's. After the last of them, hooks
  /// that run (``Configuration/verify``, ``ConflictRule/Policy/merge(_:)``) and a disk that fails are waited
  /// for up to ``Configuration/lockTimeout``. What is still open then is left to the next outbox, and a
  /// verdict that a hook gives later is ignored:
  ///
  /// - an operation that `verify` was asked about is `uncertain`;
  /// - an operation with a conflict, which was not carried out, is sent again, so that its hook is asked
  ///   again;
  /// - an operation whose end could not be written is treated as after a crash: it is sent again where that
  ///   is safe, and uncertain or verified where it is not.
  ///
  /// An outbox that is released is closed in the same way in the background: another one of the same process
  /// that is opened meanwhile waits for it, up to ``Configuration/lockTimeout``.
  public func close() async {
    lock.close()
    await sender.stop()
    queue.hub.end()
  }

  /// Why the outbox has stopped by itself: the store's file was moved aside, replaced or damaged while the
  /// outbox worked with it. nil while it works, and after ``close()``.
  ///
  /// Sequences of steps end then, sequences of states throw this error, and so does each call that would
  /// change something. Nothing more is sent. The queue is in the file that was moved; an operation that was
  /// on its way is found there as after a crash. Open the store and an outbox again to work with what is at
  /// the path now.
  public var failure: StoreError? { queue.hub.failure }

  /// - Throws: ``OutboxError``: `closed`; `StoreError`, see ``failure``.
  func checkOpen() throws {
    if let failure { throw failure }
    if lock.isClosed { throw OutboxError.closed }
  }
}
