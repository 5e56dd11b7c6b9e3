import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore

extension Graph {
  /// The outcome of an operation that has left the queue. It is kept until the application has
  /// acknowledged it; a receipt of a received or cancelled operation, for 30 days at most by default.
  ///
  /// The receipt of a rejected operation contains what the user wrote: it can be shown, edited and
  /// queued again with ``Outbox/requeue(_:editing:)``.
  public struct Receipt: Sendable, Hashable {
    /// The operation's ID.
    public let operation: String
    /// The object that the operation wrote, with the server's key if that is known. For an object of a
    /// transient type, the key is known only in the run that has ended the operation. It is empty in
    /// later runs. The receipt of a rejected operation keeps the key in any case.
    public let entity: GraphQL.EntityKey
    /// The operation's name in its document; empty if it has none.
    public let name: String
    /// `received`, `rejected` or `cancelled`.
    public let state: OperationState
    /// Why it was rejected; nil otherwise.
    public let reason: RejectionReason?
    /// The variables of a rejected operation, by their names in the document; nil otherwise. If they
    /// were damaged (`reason` has the code `damaged`), a string with the remaining text.
    public let variables: GraphQL.JSON?
    /// The expected change of a rejected operation; nil otherwise, and for objects of transient types.
    public let optimistic: OptimisticChange?

    /// The value of an argument of a rejected mutation, if it is a variable of the document; nil otherwise.
    public subscript(argument: String) -> GraphQL.JSON? {
      guard let variables,
        let variable = MutationArgument(argument, in: document, variables, of: entity.key).variable
      else { return nil }
      return variables[variable]
    }

    /// The text of a rejected mutation; empty for others.
    let document: String

    /// Its position in the queue.
    let seq: Int64

    static let columns =
      "id, entity, name, state, code, message, variables, optimistic, seq, document"

    /// The parsed variables, or the text itself if it is damaged.
    static func variables(_ text: String) -> JSON {
      (try? JSON(parsing: Array(text.utf8))) ?? .string(text)
    }

    /// nil for a row that this version cannot read.
    ///
    /// - Parameter known: the object, if the row does not have its key.
    init?(_ row: ExtensionRow, of known: GraphQL.EntityKey? = nil) {
      guard let state = OperationState(rawValue: row.text(3)) else { return nil }
      operation = row.text(0)
      entity =
        known ?? GraphQL.EntityKey(row.text(1)) ?? GraphQL.EntityKey(typeName: "", key: row.text(1))
      name = row.text(2)
      self.state = state
      reason = RejectionReason(stored: row.text(4), row.text(5))
      let variables = row.text(6)
      // Not `? nil :`, which would be a JSON null.
      if variables.isEmpty {
        self.variables = nil
      } else {
        self.variables = Self.variables(variables)
      }
      optimistic = OptimisticChange(text: row.text(7))
      seq = row.integer(8)
      document = row.text(9)
    }
  }
}

extension Graph.RejectionReason {
  /// nil if the queue has none.
  init?(stored code: String, _ message: String) {
    if code.isEmpty && message.isEmpty { return nil }
    self.init(code: code.isEmpty ? nil : code, message: message)
  }
}

extension Graph {
  /// The state of one object's writes: that of the oldest operation that has not ended or, if there
  /// is none, the outcome of the last one until its receipt is acknowledged.
  public struct SyncState: Sendable, Hashable {
    /// The operation's ID.
    public let operation: String
    /// Its state.
    public let state: OperationState
    /// The reason for that state, if there is one: what it waits for, or why it was rejected.
    public let reason: RejectionReason?
    /// The receipt of the operation; nil while it has not ended.
    public let receipt: Receipt?

    init(_ receipt: Receipt) {
      operation = receipt.operation
      state = receipt.state
      reason = receipt.reason
      self.receipt = receipt
    }

    static let columns = "id, \(QueueTables.state), code, message"

    /// The state of an operation in the queue; nil for a row that this version cannot read.
    init?(_ row: ExtensionRow) {
      guard let state = OperationState(rawValue: row.text(1)) else { return nil }
      operation = row.text(0)
      self.state = state
      reason = RejectionReason(stored: row.text(2), row.text(3))
      receipt = nil
    }
  }
}

extension Graph.SyncState: CustomStringConvertible {
  public var description: String { reason.map { "\(state): \($0)" } ?? "\(state)" }
}

extension Graph.Response where Root == GraphQL.AbstractResponse {
  /// The response's JSON as it arrived; nil if it has no data.
  var text: String? {
    data.map { String(decoding: $0._stored.json.source(at: JSONDocument.rootIndex), as: UTF8.self) }
  }

  /// The response's data as a tree.
  var json: JSON? {
    data.map { $0._stored.json.json(at: $0._stored.index) }
  }
}
