import GraphJSON
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

extension Graph {
  /// The results of a fetch that follow the store while the object is alive; views that read them are
  /// notified through Observation.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor @Observable
  public final class LiveResults<Object: GraphQL.AbstractResponse> {
    /// The current results; nil until they have been read for the first time.
    public private(set) var value: FetchedResults<Object>?
    /// Why the results can no longer be read; ``value`` then keeps its last state.
    public private(set) var error: (any Error)?
    @ObservationIgnored private var token: ObservationToken?

    /// - Parameter states: the result of ``Store/states(of:)->Graph.ResultStates<Object>``.
    public init(_ states: ResultStates<Object>) {
      token = ObservationToken(
        states, { [weak self] in self?.error = $0 }, { [weak self] in self?.value = $0 })
    }
  }
}
