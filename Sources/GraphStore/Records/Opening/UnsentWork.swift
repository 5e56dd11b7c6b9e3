import GraphJSON
import GraphQLRuntime

extension Graph {
  /// A queued operation that was dropped.
  public struct UnsentWork: Sendable, Hashable {
    /// The operation's ID in its queue.
    public let id: String
    /// The object that it was to change.
    public let entity: GraphQL.EntityKey
    /// The operation's name in its document; empty if it has none.
    public let name: String
    /// Its state, in the queue's terms.
    public let state: String
    /// The operation as it was to be sent; empty for a queue of an earlier version.
    public let document: String
    /// Its variables, by their names in the document; null if they are not known, and a string with
    /// the readable remains if the queue's row was damaged.
    public let variables: GraphQL.JSON

    init(
      id: String, entity: GraphQL.EntityKey, name: String, state: String, document: String = "",
      variables: GraphQL.JSON = .null
    ) {
      self.id = id
      self.entity = entity
      self.name = name
      self.state = state
      self.document = document
      self.variables = variables
    }
  }
}

extension Graph.UnsentWork: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// A description without the contents that would have been sent, which may include secrets.
  public var description: String { "\(name) \(id) on \(entity.typeName): \(state)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["work": description]) }
}

extension DatabaseConnection {
  /// The work in the extension tables that was never sent, in the order of its queue; none if there was
  /// never a queue.
  func unsentWork() throws(Graph.StoreError) -> [Graph.UnsentWork] {
    let columns = try texts("SELECT name FROM pragma_table_info('unsent_work')")
    if columns.isEmpty { return [] }
    // Files of earlier versions contain no content.
    let content = columns.contains("variables") ? "document, variables" : "'', ''"
    return try rows("SELECT id, entity, name, state, \(content) FROM unsent_work", []) { row in
      let (entity, variables) = (row.text(1), row.text(5))
      // For a damaged row, the readable parts are reported.
      return Graph.UnsentWork(
        id: row.text(0),
        entity: GraphQL.EntityKey(entity) ?? GraphQL.EntityKey(typeName: "", key: entity),
        name: row.text(2), state: row.text(3), document: row.text(4),
        variables: variables.isEmpty
          ? .null : (try? JSON(parsing: Array(variables.utf8))) ?? .string(variables))
    }
  }
}
