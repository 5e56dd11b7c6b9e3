extension Graph {
  /// The activity of a ``LiveQuery`` or a ``LivePages``.
  public enum LivePhase: Hashable, Sendable {
    /// There is no request.
    case idle
    /// The first response is awaited, and there is no value yet; or a further page of a list is.
    case loading
    /// There is a value, and a newer response is awaited.
    case refreshing
    /// The last request has failed. An earlier value is kept.
    case failed(QueryError)

    /// Whether a response is awaited.
    public var isActive: Bool { self == .loading || self == .refreshing }

    /// Why the last request has failed.
    public var error: QueryError? {
      if case .failed(let error) = self { error } else { nil }
    }
  }
}
