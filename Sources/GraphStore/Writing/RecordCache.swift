import GraphJSON
import GraphQLRuntime

/// The records that the writer has seen, parsed. It belongs to the writer's queue.
final class RecordCache {
  /// In bytes; when it is reached the cache starts afresh.
  private static let largest = 32 << 20

  private var rows: [GraphQL.EntityKey: StoredRow] = [:]
  private var size = 0
  /// What the open transaction wrote; nil stands for a deleted row.
  private var staged: [(key: GraphQL.EntityKey, row: StoredRow?)] = []
  private var dataVersion: Int64?

  subscript(key: GraphQL.EntityKey) -> StoredRow? { rows[key] }

  func insert(_ row: StoredRow, for key: GraphQL.EntityKey) {
    size += row.json.memoryFootprint
    if size > Self.largest { removeAll() }
    rows[key] = row
  }

  /// Notes a row that becomes true with the commit.
  func stage(_ row: StoredRow?, for key: GraphQL.EntityKey) { staged.append((key, row)) }

  func commit() {
    for (key, row) in staged {
      if let row { insert(row, for: key) } else { rows[key] = nil }
    }
    staged = []
  }

  func rollback() { staged = [] }

  /// Forgets everything if another connection has committed since the last call.
  func validate(dataVersion version: Int64?) {
    if version != dataVersion { removeAll() }
    dataVersion = version
  }

  func removeAll() {
    rows = [:]
    size = 0
  }
}
