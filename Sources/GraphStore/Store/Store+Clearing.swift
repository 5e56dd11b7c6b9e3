extension Graph.Store {
  /// Calls `body` after each commit that emptied the side tables, with the work that was never
  /// sent, until the token is released.
  package func whenCleared(
    _ body: @escaping @Sendable ([Graph.UnsentWork]) -> Void
  ) -> ClearingToken {
    ClearingToken(registration: clearings.add(body))
  }
}
