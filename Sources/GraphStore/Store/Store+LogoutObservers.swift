extension Graph.Store {
  /// Calls `body` after each commit that emptied the extension tables, with the work that was never
  /// sent, until the registration is released. The work is nil if another store has deleted it.
  package func onLogout(
    _ body: @escaping @Sendable ([Graph.UnsentWork]?) -> Void
  ) -> Registration {
    logoutObservers.add(body)
  }
}
