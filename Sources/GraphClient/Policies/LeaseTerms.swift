extension Graph {
  /// Which stored responses of other processes a query accepts in place of a request.
  struct LeaseTerms: Hashable, Sendable {
    /// A response of this age or older is not accepted; nil for no limit.
    let maximumAge: Duration?
  }
}
