import GraphQLRuntime

extension Graph.StoreInspector {
  /// The operations in the file's queue that have not ended, in the order of the queue; none if
  /// there was never a queue.
  public func unsentWork() throws(Graph.StoreError) -> [Graph.UnsentWork] {
    try pool.read { connection throws(Graph.StoreError) in try connection.unsentWork() }
  }
}
