import GraphClient

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
