import GraphJSON
import GraphQLRuntime
import GraphStore

/// An operation to be queued.
package struct NewOperation: Sendable {
  package enum Kind: String, Sendable {
    /// Only the last one counts.
    case save
    /// Each one counts.
    case mutation = "transact"
  }

  /// Initially also the idempotency key.
  var id: String
  var entity: GraphQL.EntityKey
  var kind: Kind
  var name: String
  var document: String
  var variables: JSON
  /// The name of the schema's mutation type; empty if the response can only be stored using the
  /// operation.
  var root: String
  /// The coordinates of the root fields, with commas between them.
  var fields = ""
  /// Whether the server carries it out only once however often it is sent.
  var isRepeatable: Bool
  /// The files to send with it.
  var files: [QueuedFile] = []
  /// Its expected change of the entity.
  var optimistic: Graph.OptimisticChange?
}

/// A row of the queue, for sending.
struct QueuedOperation: Sendable {
  let seq: Int64
  let id: String
  let entity: GraphQL.EntityKey
  let name: String
  let document: String
  let variables: [UInt8]
  let root: String
  /// The temporary key that the server's response replaces; empty if there is none.
  let creates: String
  let isRepeatable: Bool
  let state: Graph.OperationState
  let attempts: Int
  let refusals: RefusalCount
  let response: String
  /// The key by which the server detects repetitions.
  let idempotencyKey: String
  /// The reason for its state; may be empty.
  let code: String
  /// Whether an earlier attempt may have carried it out.
  let isDoubtful: Bool
  /// How long it has waited for a busy server.
  let waited: Duration

  static let columns = """
    seq, id, entity, name, document, variables, root, creates, repeatable, \(QueueTables.state), \
    attempts, \
    strike_reason, strikes, answer, idempotency, code, doubtful, waited
    """

  /// Whether the row contains its object and its state.
  private let hasPlace: Bool

  /// Whether the row cannot be sent because its entity, state, document or variables are damaged.
  var isDamaged: Bool {
    if !hasPlace || document.isEmpty { return true }
    return if case .object? = try? JSON(parsing: variables) { false } else { true }
  }

  /// Reads all readable parts of a row.
  init(_ row: ExtensionRow) {
    let entity = GraphQL.EntityKey(row.text(2))
    let state = Graph.OperationState(rawValue: row.text(9)).flatMap { $0.isFinal ? nil : $0 }
    seq = row.integer(0)
    id = row.text(1)
    self.entity = entity ?? GraphQL.EntityKey(typeName: "", key: row.text(2))
    name = row.text(3)
    document = row.text(4)
    variables = Array(row.text(5).utf8)
    root = row.text(6)
    creates = row.text(7)
    isRepeatable = row.integer(8) != 0
    // An unknown state does not show whether the operation was carried out.
    self.state = state ?? .uncertain
    hasPlace = entity != nil && state != nil
    attempts = Int(row.integer(10))
    refusals = RefusalCount(reason: row.text(11), count: Int(row.integer(12)))
    response = row.text(13)
    idempotencyKey = row.text(14)
    code = row.text(15)
    isDoubtful = row.integer(16) != 0
    waited = .milliseconds(row.integer(17))
  }
}
