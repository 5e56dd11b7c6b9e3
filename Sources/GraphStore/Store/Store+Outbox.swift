import GraphQLRuntime
import GraphStorage

extension Graph.Store {
  /// Reads the committed extension tables.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func rows<T>(
    _ sql: String, _ values: [ExtensionValue] = [], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    guard let file = committed.file else { throw .noFile }
    return try file.pool.read { connection throws(Graph.StoreError) in
      try connection.rows(sql, values, read)
    }
  }

  /// Checks that the file is still at its path, as each commit does.
  ///
  /// - Throws: ``StoreError``: `replaced`; `file` in a store without one.
  package func checkFile() throws(Graph.StoreError) {
    guard let file = committed.file else { throw .noFile }
    try file.shared.location.check()
  }

  /// The path of the store's file, without symbolic links, for files next to it.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func filePath() throws(Graph.StoreError) -> String {
    guard let file = committed.file else { throw .noFile }
    return file.path
  }

  /// The attributes of a type in the schema table other than its fields, by the names of
  /// `graphql-generator.json`.
  package func storageAttributes(ofType name: String) -> [String: String] {
    committed.policies.schema.storageAttributes(ofType: name)
  }

  /// Runs `body` on the writer's queue in a transaction; `completion` is called there afterwards.
  package func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Graph.Transaction) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    writer.perform(body, completion: completion)
  }
}
