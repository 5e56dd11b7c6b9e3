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

extension Graph.Outbox {
  /// The ways to write a type's objects in addition to `queue`.
  public enum SupportedOperation: Sendable, Hashable {
    /// One-way saves, where only the last one counts.
    case save
  }

  /// The settings of an outbox.
  public struct Configuration: Sendable {
    /// By type name: types whose objects may be written with `queueSave` list `save`. Types that are
    /// not named here use `supportedOperations` of `graphql-generator.json`.
    public var supportedOperations: [String: Set<SupportedOperation>] = [:]
    /// The header field for the idempotency key, such as `Idempotency-Key`; nil if the server has
    /// none. See ``Outbox/idempotencyKeyPlaceholder`` for keys in arguments.
    public var idempotencyHeader: String?
    /// How many operations, each of another object, are sent concurrently.
    public var concurrentOperations = 4
    /// The delays of an operation that was not carried out: random up to a limit, which doubles
    /// from one second to five minutes.
    public var backoff = Graph.Backoff(base: .seconds(1), maximum: .seconds(300))
    /// The longest delay that a server may request, a day; if it requests more, it gets another
    /// request after this delay.
    public var maximumServerDelay = Duration.seconds(86_400)
    /// How long an operation is retried if a busy server does not accept it, or its responses are
    /// lost: a week. Then it is rejected with the code `gaveUp`, or becomes uncertain if it may
    /// have been carried out. Only the delays between attempts count, while the program runs and
    /// there is a network.
    ///
    /// An operation that may not be repeated (it has no idempotency key and is not declared
    /// idempotent) waits only for a server that has certainly not carried it out: with 408, 425,
    /// 429, `THROTTLED`, or 503 with `Retry-After`. After 503 without that field, other 5xx and
    /// lost responses it becomes `uncertain` at once. A gateway sends the same response when it has
    /// lost the connection to a server that was carrying out the request, and a retry could carry
    /// out the operation twice.
    public var patience = Duration.seconds(7 * 86_400)
    /// By type name: the rules for a server that has a newer version of an object. Operations of
    /// other types are rejected in that case. If a rule names no version field, it is that of
    /// `graphql-generator.json` (`version`).
    public var conflicts: [String: Graph.ConflictRule] = [:]
    /// Called before an operation becomes `uncertain`, and again in each run in which it still is,
    /// to find out whether the server has carried it out. Hooks run concurrently and delay only
    /// their own operation. If a hook does not return within a minute, the operation becomes
    /// uncertain. `verify` may still return later; its result counts until the operation is retried or
    /// the outbox is closed.
    public var verify: (@Sendable (Graph.UncertainOperation) async -> Graph.Verification)?
    /// How long receipts of received and cancelled operations are kept if they are not acknowledged.
    /// Receipts of rejected operations are kept until they are acknowledged or the user logs out.
    public var receiptLifetime = Duration.seconds(30 * 86_400)
    /// How long opening waits for a closed outbox of this process that still has operations in
    /// progress; and how long ``Outbox/close()`` waits, after the last request, for hooks and for a
    /// disk that fails.
    public var lockTimeout = Duration.seconds(5)
    /// Whether nothing is sent until ``Outbox/resume()``.
    public var startsPaused = false
    package var time: any Graph.TimeSource = Graph.SystemTime()

    public init() {}

    var decider: AttemptDecider {
      AttemptDecider(backoff: backoff, maximumServerDelay: maximumServerDelay, patience: patience)
    }
  }
}

extension Graph.Outbox {
  /// Stops sending until ``resume()``. Operations in progress continue.
  public func pause() async { await sender.pause() }

  /// Ends a pause.
  public func resume() async { await sender.resume() }

  /// Sets whether there is a network. Without one, nothing is sent. When it is back, delays that no
  /// server has requested end.
  public func setReachable(_ isReachable: Bool) async throws {
    try checkOpen()
    try await sender.setReachable(isReachable)
  }

  /// Reports new credentials: operations that await them are retried.
  public func credentialsRenewed() async throws {
    try checkOpen()
    try await sender.renewCredentials()
  }

  /// Sends all operations that can be sent now, and returns when none is in progress.
  public func flush() async { await sender.flush() }

  /// Sends all operations that can be sent now, for a background task. Returns when none is in
  /// progress, at the deadline at the latest. Operations that are then in progress continue.
  ///
  /// - Returns: whether no operation was in progress, and the results of all are stored. A disk that
  ///   fails is retried later.
  @discardableResult
  public func flush(within deadline: Duration) async -> Bool {
    await sender.flush(within: deadline)
  }

  /// Retries an operation without delay: one that waits for the end of a delay, that awaits credentials, or
  /// that is `uncertain` and known not to have been carried out.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `Graph.StoreError`.
  public func retry(_ operation: String) async throws {
    try checkOpen()
    try await queue.change(operation) { writer, operation in
      guard operation.state != .blocked else {
        throw Graph.OutboxError(
          .invalidTransition,
          "the operation is blocked: it waits for another operation, or the schema does not contain it"
        )
      }
      try writer.retry(operation)
    }
    await sender.sendDue()
  }

  /// Cancels an operation that is not in progress; those that need it are rejected.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `Graph.StoreError`.
  public func cancel(_ operation: String) async throws {
    try checkOpen()
    try await queue.change(operation) { try $0.finish($1, .cancelled) }
    queue.forget(operation)
    await sender.sendDue()
  }

  /// Ends an `uncertain` operation that is known to have been carried out.
  ///
  /// - Parameter key: the server's key of the object that it created, if any.
  /// - Throws: ``OutboxError``: `unknownOperation`, `invalidTransition`; `Graph.StoreError`.
  public func confirm(_ operation: String, key: GraphQL.ID? = nil) async throws {
    try checkOpen()
    try await queue.change(operation) { writer, operation in
      guard operation.state == .uncertain else {
        throw Graph.OutboxError(
          .invalidTransition, "an operation in the state \(operation.state) cannot be confirmed")
      }
      try writer.finish(operation, .received, key: key?.rawValue)
    }
    queue.forget(operation)
    await sender.sendDue()
  }
}
