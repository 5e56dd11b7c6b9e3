/// The connections for one store's reading, which waits for SQLite's locks for the store's limit.
struct ReadingPool {
  let pool: ConnectionPool
  let limit: Duration

  private var busyTimeout: Int32 { WaitLimit(limit, since: WaitLimit.now).milliseconds }

  func read<T>(_ body: (DatabaseConnection) throws(Graph.StoreError) -> T) throws(Graph.StoreError)
    -> T
  {
    try pool.read(busyTimeout: busyTimeout, body)
  }

  func begin() throws(Graph.StoreError) -> DatabaseConnection {
    try pool.begin(busyTimeout: busyTimeout)
  }

  func end(_ connection: DatabaseConnection) { pool.end(connection) }
}
