extension WriteOutcome {
  /// Updates the other sides of relations after the write.
  mutating func updateInverses(in transaction: Graph.Transaction) throws(Graph.StoreError) {
    for (state, old) in related {
      for other in try transaction.updateInverses(of: state, from: old) { note(other, .updated) }
    }
    related = []
  }
}
