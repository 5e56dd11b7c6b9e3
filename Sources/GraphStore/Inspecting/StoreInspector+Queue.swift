import GraphQLRuntime

extension StoreInspector {
  /// The operations that are queued in the file and have not ended, in the order of the queue; none
  /// where there was never a queue.
  public func unsentWork() throws(StoreError) -> [UnsentWork] {
    try pool.read { connection throws(StoreError) in try connection.unsentWork() }
  }
}
