import GraphQLRuntime
import Observation

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
