import Dispatch
import GraphClient
import GraphQLRuntime
import GraphStore

extension Graph {
  /// Writes that survive offline times, crashes and retries.
  ///
  /// ```swift
  /// let outbox = try await Graph.Outbox(store: store, client: client)
  /// try await outbox.queue(mutation, for: cart)
  /// for await transition in outbox.transitions() { print(transition.to) }
  /// ```
  ///
  /// An operation is queued in the store's file and sent when the network allows: in order per
  /// object, at least once, and with an idempotency key that survives restarts. You can observe its
  /// outcome.
  ///
  /// Only one outbox at a time can use a store's file; a second one is refused, in this process and
  /// in others. An outbox that is closed or released sends nothing more.
  public final class Outbox: Sendable {
    let queue: OutboxQueue
    let sender: Sender
    let configuration: Configuration
    let lock: OutboxLock
    /// Keeps operations in the order of their calls while files are read.
    let intake = DispatchQueue(label: "treeswift.outbox.intake", qos: .utility)

    /// Opens the queue in the store's file and starts sending.
    ///
    /// Operations that were in progress when the program ended are retried if that is safe and become
    /// `uncertain` otherwise.
    ///
    /// - Throws: ``OutboxError``: `alreadyOpen` if another outbox uses the file; `Graph.StoreError`, in
    ///   particular `file` for a store in memory.
    public init(
      store: Store, client: Client, configuration: Configuration = Configuration()
    ) async throws {
      lock = try await OutboxLock.take(
        forStoreAt: store.filePath(), patience: configuration.lockTimeout)
      queue = OutboxQueue(
        store: store, configuration: configuration, observers: client.observers)
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

    /// Stops sending, waits until each operation that was sent is settled on disk, and releases the
    /// file for another outbox. Queued operations stay in the file. Sequences end; calls that would
    /// change something throw `closed`.
    ///
    /// This waits for requests up to their time limits, which are the client's. After the last of
    /// them, it waits for running hooks (``Configuration/verify``, ``ConflictRule/Policy/merge(_:)``)
    /// and a disk that fails for up to ``Configuration/lockTimeout``. Operations that are still open
    /// then are left to the next outbox, and a later result of a hook is ignored:
    ///
    /// - an operation for which `verify` was called is `uncertain`;
    /// - an operation with a conflict, which was not carried out, is retried, so that its hook is
    ///   called again;
    /// - an operation whose outcome could not be written is treated as after a crash: it is retried
    ///   if that is safe, and otherwise uncertain or verified.
    ///
    /// Releasing an outbox closes it in the same way in the background. Another one that is opened in
    /// the same process before that has ended waits for it, up to ``Configuration/lockTimeout``.
    public func close() async {
      lock.close()
      await sender.stop()
      queue.hub.end()
    }

    /// Why the outbox has stopped by itself: the store's file was moved aside, replaced or damaged
    /// while the outbox used it. nil while it works, and after ``close()``.
    ///
    /// Sequences of transitions then end, sequences of states throw this error, and so does each call
    /// that would change something. Nothing more is sent. The queue is in the moved file; an
    /// operation that was in progress is found there as after a crash. Open the store and an outbox
    /// again to use the file that is at the path now.
    public var failure: StoreError? { queue.hub.failure }

    /// - Throws: ``OutboxError``: `closed`; `Graph.StoreError`, see ``failure``.
    func checkOpen() throws {
      if let failure { throw failure }
      if lock.isClosed { throw OutboxError.closed }
    }
  }
}
