/// A value of an extension table. There are no nulls: the reader knows the type of each column.
package enum ExtensionValue: Sendable, Hashable {
  case integer(Int64)
  case text(String)
}

/// A statement's current row; valid only during the call that receives it.
package struct ExtensionRow {
  let statement: Statement

  package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  package func text(_ column: Int32) -> String { statement.text(column) }
}
