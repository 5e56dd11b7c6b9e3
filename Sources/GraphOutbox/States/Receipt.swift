import GraphJSON
import GraphQLRuntime
import GraphStore

/// What became of an operation that has left the queue. It is kept until the application has
/// acknowledged it, 30 days at most.
///
/// That of a rejected operation has what the user wrote: it can be shown, edited and sent again with
/// ``Outbox/sendAgain(_:editing:)``.
public struct Receipt: Sendable, Hashable {
  /// The operation's ID.
  public let operation: String
  /// What it wrote; with the server's key where that is known.
  public let entity: GraphQL.EntityKey
  /// The operation's name in its document; empty when it has none.
  public let name: String
  /// `received`, `rejected` or `cancelled`.
  public let state: OperationState
  /// Why it was rejected; nil otherwise.
  public let reason: RejectionReason?
  /// The variables of a rejected operation, by their names in the document; nil otherwise.
  public let variables: GraphQL.JSON?
  /// What a rejected operation was expected to do; nil otherwise, and for objects of transient types.
  public let optimistic: OptimisticChange?

  /// The value of an argument of a rejected mutation; nil otherwise.
  public subscript(argument: String) -> GraphQL.JSON? {
    guard let variables,
      let variable = VersionArgument(name: argument).variable(in: variables)
    else { return nil }
    return variables[variable]
  }

  static let columns = "id, entity, name, state, code, message, variables, optimistic"

  /// nil for a row that this version cannot read.
  init?(_ row: SideRow) {
    guard let entity = GraphQL.EntityKey(row.text(1)),
      let state = OperationState(rawValue: row.text(3))
    else { return nil }
    operation = row.text(0)
    self.entity = entity
    name = row.text(2)
    self.state = state
    reason = RejectionReason(stored: row.text(4), row.text(5))
    let variables = row.text(6)
    self.variables = variables.isEmpty ? nil : try? JSON(parsing: Array(variables.utf8))
    optimistic = OptimisticChange(text: row.text(7))
  }
}

extension RejectionReason {
  /// nil where the queue has none.
  init?(stored code: String, _ message: String) {
    if code.isEmpty && message.isEmpty { return nil }
    self.init(code: code.isEmpty ? nil : code, message: message)
  }
}
