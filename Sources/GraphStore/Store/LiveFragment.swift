import GraphJSON
import GraphQLRuntime
import Observation

extension Graph {
  /// An object as a fragment of a document, which follows the store while it is alive: its ``value`` is updated, and
  /// views that read it are notified through Observation.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor @Observable
  public final class LiveFragment<Fragment: GraphQL.TypedFragment> {
    /// The stored object; nil while part of it is not stored.
    public private(set) var value: Fragment?
    /// Why the object can no longer be read; ``value`` then keeps its last state.
    public private(set) var error: (any Error)?
    @ObservationIgnored private var token: ObservationToken?

    /// - Parameters: As for ``ObjectReading/read(_:typeName:key:variables:)``.
    /// - Throws: ``StoreError``, in particular `wrongSchema` and `notAnEntity`.
    public init(
      _ fragment: Fragment.Type, typeName: String? = nil, key: String,
      variables: GraphQL.JSON = .object([:]), in store: Store
    ) throws(Graph.StoreError) {
      value = try store.read(fragment, typeName: typeName, key: key, variables: variables).data
      let states = try store.states(
        of: fragment, typeName: typeName, key: key, variables: variables)
      token = ObservationToken(states, { [weak self] in self?.error = $0 }) { [weak self] state in
        if let value = self?.value, let data = state.data, value == data { return }
        self?.value = state.data
      }
    }
  }
}
