import GraphQLRuntime
import Observation

extension Graph {
  /// An object that follows the store while it is alive: its ``value`` is updated, and views that
  /// read it are notified through Observation.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor @Observable
  public final class LiveObject<Object: GraphQL.AbstractResponse> {
    /// The stored object; nil while there is none.
    public private(set) var value: Object?
    /// Why the object can no longer be read; ``value`` then keeps its last state.
    public private(set) var error: (any Error)?
    @ObservationIgnored private var token: ObservationToken?

    /// - Throws: ``StoreError``, in particular `notAnEntity`.
    public init(_ type: Object.Type, key: String, in store: Store) throws(Graph.StoreError) {
      value = try store.object(type, key: key)
      token = try store.observe(
        type, key: key, onError: { [weak self] in self?.error = $0 },
        onChange: { [weak self] in self?.value = $0 })
    }
  }
}
