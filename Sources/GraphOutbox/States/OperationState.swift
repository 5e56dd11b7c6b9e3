import GraphQLRuntime
import GraphStore

extension Graph {
  /// The state of a queued operation.
  public enum OperationState: String, Sendable, Hashable, CaseIterable {
    /// It waits to be sent, for its entity's earlier operations, or for the end of a delay.
    case pending
    /// The server is busy, has requested a pause, cannot be reached, or its response was lost. The
    /// operation is sent after a delay. The reason contains the cause.
    case waiting
    /// It is being sent; from here on it may have reached the server.
    case inTransit
    /// The server has carried it out; its response is kept but not yet in the store.
    case delivered
    /// The server's response is in the store and the operation has left the queue.
    case received
    /// It may have been carried out and is not retried automatically.
    case uncertain
    /// It waits for new credentials.
    case awaitingCredentials = "parked"
    /// It needs an operation that has not been carried out yet.
    case blocked
    /// The server will not carry it out, or a needed operation was not carried out.
    case rejected
    /// The application cancelled it.
    case cancelled

    /// The states that may follow this one.
    public var successors: Set<OperationState> {
      switch self {
      case .pending: [.inTransit, .waiting, .blocked, .rejected, .cancelled]
      case .waiting: [.pending, .inTransit, .blocked, .rejected, .cancelled]
      case .blocked: [.pending, .rejected, .cancelled]
      case .inTransit:
        [.delivered, .received, .pending, .waiting, .uncertain, .awaitingCredentials, .rejected]
      case .delivered: [.received]
      case .uncertain: [.pending, .received, .rejected, .cancelled]
      case .awaitingCredentials: [.pending, .rejected, .cancelled]
      case .received, .rejected, .cancelled: []
      }
    }

    /// Whether the operation has left the queue and a receipt has replaced it.
    public var isFinal: Bool { successors.isEmpty }

    /// The state's name in the queue's table; see `QueueTables.state`.
    var stored: String { self == .waiting ? Self.pending.rawValue : rawValue }

    /// The state with which a new run recovers an operation of an earlier one.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether the server carries it out only once however often it is sent.
    ///   - isVerified: whether the program verifies its outcome; it stays in transit until then.
    func recovered(isRepeatable: Bool, isVerified: Bool) -> OperationState {
      switch self {
      case .inTransit where isRepeatable: .pending
      case .inTransit: isVerified ? .inTransit : .uncertain
      // The new run may have new credentials.
      case .awaitingCredentials: .pending
      default: self
      }
    }
  }
}

extension Graph.OperationState: CustomStringConvertible {
  public var description: String {
    self == .awaitingCredentials ? "awaitingCredentials" : rawValue
  }
}

extension Graph {
  /// One transition of an operation, published after it is durable.
  public struct Transition: Sendable, Hashable {
    /// The operation's ID.
    public let operation: String
    /// The object that it writes; with the server's key as soon as that is known.
    public let entity: GraphQL.EntityKey
    /// nil for an operation that was just queued.
    public let from: OperationState?
    /// Its current state.
    public let to: OperationState
    /// The reason, if the server or the connection gave one.
    public let reason: RejectionReason?
    /// How many transitions before this one the sequence has dropped, since the reader was too slow.
    /// If it is not 0, `receipts()` and `state(of:)` return the resulting states.
    public internal(set) var missed = 0

    init(
      _ operation: String, _ entity: GraphQL.EntityKey, from: OperationState?, to: OperationState,
      reason: RejectionReason? = nil
    ) {
      self.operation = operation
      self.entity = entity
      self.from = from
      self.to = to
      self.reason = reason
    }

    /// The transition of an operation that was deleted by a logout.
    init(dropped work: UnsentWork) {
      self.init(dropped: work.id, work.entity, from: OperationState(rawValue: work.state))
    }

    init(dropped id: String, _ entity: GraphQL.EntityKey, from state: OperationState?) {
      self.init(
        id, entity, from: state, to: .cancelled,
        reason: RejectionReason(code: "loggedOut", message: "the user has logged out"))
    }
  }
}

extension Graph {
  /// Why the server refused an operation.
  public struct RejectionReason: Sendable, Hashable, CustomStringConvertible {
    /// The server's code, or a short name of the failure such as `http 503`.
    public let code: String?
    /// The message of the server; for a user error, it may be meant for the user.
    public let message: String

    /// A reason; only the message is required.
    public init(code: String? = nil, message: String) {
      self.code = code
      self.message = message
    }

    /// The letters of the code, or of the message if there is no code. Reasons that differ only in case,
    /// numbers, punctuation and quoted names are equal in this form.
    var normalized: String { Self.letters(code ?? Self.withoutQuotes(message)) }

    /// Whether the server is processing the same item and requests a later retry.
    var isTransactionInProgress: Bool {
      [code ?? "", message].contains { Self.letters($0).contains("transactioninprogress") }
    }

    public var description: String { code.map { "\($0): \(message)" } ?? message }

    private static func letters(_ text: String) -> String {
      text.lowercased().filter(\.isLetter)
    }

    /// Quoted parts contain names, which differ between attempts.
    private static func withoutQuotes(_ text: String) -> String {
      var isInside: Character?
      return text.filter { character in
        guard let quote = isInside else {
          if character == "\"" || character == "`" { isInside = character }
          return isInside == nil
        }
        if character == quote { isInside = nil }
        return false
      }
    }
  }
}

/// The outcome of an attempt to send an operation.
enum AttemptOutcome: Sendable, Equatable {
  /// The server has carried it out.
  case success
  /// The server will not carry it out, now or later.
  case rejected(Graph.RejectionReason)
  /// The server has a newer version of the object and has not carried it out.
  case conflict(Graph.RejectionReason)
  /// The server has refused the operation itself, for now: it was not carried out and may be
  /// retried.
  ///
  /// - Parameter delay: the delay that the server requests.
  case refused(Graph.RejectionReason, delay: Duration?)
  /// The server accepts no operation now. It was not carried out and may be retried.
  ///
  /// - Parameter delay: the delay that the server requests.
  case busy(Graph.RejectionReason, delay: Duration?)
  /// The server has not received it.
  case unreachable(Graph.RejectionReason)
  /// It is unknown whether it was carried out.
  ///
  /// - Parameter delay: the delay that the server requests.
  case ambiguous(Graph.RejectionReason, delay: Duration? = nil)
  /// The credentials were refused. Nothing was carried out.
  ///
  /// - Parameter isRenewed: whether there seems to be a token that was not refused.
  case unauthenticated(isRenewed: Bool = false)
}

/// Counts how often in a row an operation failed for the same reason.
struct RefusalCount: Sendable, Equatable {
  /// After this number, the operation is not retried.
  static let limit = 3

  /// The counted reason, normalised; empty before the first.
  private(set) var reason = ""
  private(set) var count = 0

  init() {}

  init(reason: String, count: Int) {
    self.reason = reason
    self.count = count
  }

  var hasReachedLimit: Bool { count >= Self.limit }

  /// A different reason restarts the count.
  mutating func add(_ new: Graph.RejectionReason) {
    count = new.normalized == reason ? count + 1 : 1
    reason = new.normalized
  }
}
