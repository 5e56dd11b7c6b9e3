extension GraphQL {
  /// A store that can be read at once and that tells when its response to a query changes. Live queries follow it.
  public protocol ObservableResponseStore: ResponseStore {
    /// The current response to a query, read without waiting for a write; nil if any of it is missing, or is older
    /// than its type or `maximumAge` allows.
    func currentResponse<Root>(
      to operation: Operation<Root>, maximumAge: Duration?
    ) throws -> StoredResponse<Root>?

    /// Calls `onChange` with the response to a query, now and after each change, until the result is released.
    ///
    /// - Parameter onChange: receives nil while part of the response is missing, or the reason if the response can
    ///   no longer be read; there are no calls after that.
    func observeResponse<Root>(
      to operation: Operation<Root>,
      onChange: @escaping @MainActor @Sendable (Result<StoredResponse<Root>?, any Error>) -> Void
    ) -> any Sendable
  }
}
