import GraphQLRuntime

extension StoreInspector {
  /// The operations in the file's queue that have not ended, in the order of the queue; none if
  /// there was never a queue.
  public func unsentWork() throws(StoreError) -> [UnsentWork] {
    try pool.read { connection throws(StoreError) in try connection.unsentWork() }
  }
}
