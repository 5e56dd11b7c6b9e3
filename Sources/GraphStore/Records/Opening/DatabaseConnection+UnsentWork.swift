import GraphJSON
import GraphQLRuntime

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
