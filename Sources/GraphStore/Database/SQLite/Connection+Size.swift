extension Connection {
  /// The bytes of the used pages.
  func usedBytes() throws(StoreError) -> Int { Int(try integer(.usedBytes) ?? 0) }
}
