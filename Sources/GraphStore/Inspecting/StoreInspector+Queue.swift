import GraphQLRuntime

extension StoreInspector {
  /// The operations that are queued in the file and have not ended, in the order of the queue; none
  /// where there was never a queue.
  public func unsentWork() throws(StoreError) -> [UnsentWork] {
    try pool.read { connection throws(StoreError) in
      let views = try connection.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND name = 'unsent_work'")
      if views.isEmpty { return [] }
      return try connection.side("SELECT id, entity, name, state FROM unsent_work", []) { row in
        GraphQL.EntityKey(row.text(1)).map {
          UnsentWork(id: row.text(0), entity: $0, name: row.text(2), state: row.text(3))
        }
      }.compactMap { $0 }
    }
  }
}
