extension GraphQL {
  /// A store that shows the expected effect of a mutation before its response arrives.
  public protocol OptimisticResponseStore: ResponseStore {
    /// Shows a change to all readers and observers, on top of everything that is stored, until it is hidden,
    /// until a response is stored in its place, or until a logout. Nothing is stored.
    ///
    /// - Parameter generation: the one in which the request is made; nil for the current one.
    /// - Throws: ``StaleGeneration`` if there was a logout since; an error of the store for a change that the
    ///   schema does not allow. Nothing is shown then.
    func show(
      _ change: Graph.StoreChange, in generation: StoreGeneration?
    ) throws -> OptimisticChangeID

    /// Hides a change. Does nothing if it is not shown.
    func hide(_ id: OptimisticChangeID)

    /// Keeps a response, applies the effect of its mutation, and hides the expected change. Observers are
    /// notified once.
    ///
    /// - Parameters:
    ///   - generation: as for ``ResponseStore/store(_:of:in:)``.
    ///   - updates: the effect on objects and lists in addition to the objects of the response.
    ///   - id: the expected change; nil if there is none.
    /// - Throws: as ``ResponseStore/store(_:of:in:)``; also an error of the store if `updates` cannot be
    ///   applied. The response is kept nevertheless.
    func store<Root>(
      _ response: Response<Root>, of operation: Operation<Root>, in generation: StoreGeneration?,
      applying updates: Graph.StoreChange, inPlaceOf id: OptimisticChangeID?
    ) async throws
  }

  /// Identifies a change that an ``OptimisticResponseStore`` shows.
  public struct OptimisticChangeID: Hashable, Sendable {
    /// Its number, which grows with each change of the store.
    public let number: UInt64

    /// The change with a number.
    public init(_ number: UInt64) { self.number = number }
  }
}
