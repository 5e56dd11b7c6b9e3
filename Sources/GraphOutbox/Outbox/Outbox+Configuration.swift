import GraphClient

extension Outbox {
  /// The ways to write a type's objects beside `transact`.
  public enum SupportedOperation: Sendable, Hashable {
    /// One-way saves, of which the last one counts.
    case save
  }

  /// The settings of an outbox.
  public struct Configuration: Sendable {
    /// By type name: types whose objects may be written with `persist` list `save`. A type that is not
    /// named here has what `supportedOperations` of `graphql-generator.json` says.
    public var supportedOperations: [String: Set<SupportedOperation>] = [:]
    /// The header field for the idempotency key, such as `Idempotency-Key`; nil where the server
    /// does not know one. See ``Outbox/idempotencyKeyPlaceholder`` for keys in arguments.
    public var idempotencyHeader: String?
    /// How many operations, each of another object, are on their way at once.
    public var lanes = 4
    /// How long an operation waits that was not carried out.
    public var backoff = Backoff()
    /// How long an operation is sent again that a busy server does not take, or whose answers are lost:
    /// a week. Then it is rejected with the code `gaveUp`, or uncertain where it may have been carried
    /// out. Only the delays between attempts count, in which the program runs and there is a network.
    ///
    /// An operation that may not be repeated (it has no idempotency key and is not declared idempotent)
    /// waits only for a server that has certainly not carried it out: with 408, 425, 429, `THROTTLED`, or 503
    /// with `Retry-After`. After 503 without that field, other 5xx and lost answers it is `uncertain` at
    /// once: a gateway answers so as well when it has lost the connection to a server that was at work, and
    /// sending again could carry the operation out twice.
    public var patience = Duration.seconds(7 * 86_400)
    /// By type name: the rules for a server that knows a newer version of an object. Operations of other
    /// types are rejected then. The version field is that of `graphql-generator.json` (`version`)
    /// where a rule names none.
    public var conflicts: [String: ConflictRule] = [:]
    /// Called before an operation becomes `uncertain`, and again in each run in which it still is, to find
    /// out whether the server has carried it out. Hooks run beside each other and hold nothing but their own
    /// operation. One that has not answered within a minute leaves it uncertain, and may answer later, until
    /// the operation is sent again or the outbox is closed.
    public var verify: (@Sendable (UncertainOperation) async -> Verification)?
    /// How long receipts are kept that are not acknowledged.
    public var receiptLifetime = Duration.seconds(30 * 86_400)
    /// How long opening waits for an outbox of this process that was closed and still has operations on
    /// their way; and how long ``Outbox/close()`` waits, after the last request, for hooks and for a disk
    /// that fails.
    public var lockTimeout = Duration.seconds(5)
    /// Whether nothing is sent until ``Outbox/resume()``.
    public var startsPaused = false
    package var time: any Graph.TimeSource = Graph.SystemTime()

    public init() {}

    var rule: DecisionRule { DecisionRule(backoff: backoff, patience: patience) }
  }
}
