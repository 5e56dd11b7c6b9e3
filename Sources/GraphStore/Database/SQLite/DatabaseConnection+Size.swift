extension DatabaseConnection {
  /// The bytes of the used pages.
  func usedBytes() throws(Graph.StoreError) -> Int { Int(try integer(.usedBytes) ?? 0) }
}
