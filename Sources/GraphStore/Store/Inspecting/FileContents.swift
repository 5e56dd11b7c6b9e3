import GraphJSON
import GraphQLRuntime

/// One commit of a store's file; valid only during the call that receives it.
package struct FileContents {
  let connection: DatabaseConnection
  /// The stamp of the file before the read.
  package let stamp: FileStamp

  /// The number of logouts in the file.
  package func generation() throws(Graph.StoreError) -> UInt64 { try connection.generation() }

  /// The names of a table's columns; empty if there is no such table.
  package func columns(of table: String) throws(Graph.StoreError) -> [String] {
    try connection.rows("SELECT name FROM pragma_table_info(?1)", [.text(table)]) { $0.text(0) }
  }

  /// The rows of a table of another module.
  package func rows<T>(
    _ sql: String, _ values: [ExtensionValue] = [], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    try connection.rows(sql, values, read)
  }
}
