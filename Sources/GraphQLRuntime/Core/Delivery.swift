extension GraphQL {
  /// Whether a part of a response with `@defer` or `@stream` has arrived.
  public enum Delivery: Hashable, Sendable {
    /// All of it has arrived.
    case complete
    /// The service may still send it.
    case pending
    /// The service will not send it; with its errors for this part, which may be none.
    ///
    /// Also if it is missing in an object of a store, or in a response that was not streamed.
    case failed([ResponseError])
    /// It is not part of the response: the object is of another type, or a directive leaves it out.
    case excluded
  }
}
