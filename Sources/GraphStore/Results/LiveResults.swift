import GraphQLRuntime
import Observation

/// The results of a fetch that follow the store while they are held; views that read them are told
/// through Observation.
@MainActor @Observable
public final class LiveResults<Object: GraphQL.AbstractResponse> {
  /// The results of now; nil until they have been read for the first time.
  public private(set) var value: FetchedResults<Object>?
  /// Why the results cannot be read any more; ``value`` stays what it was then.
  public private(set) var error: (any Error)?
  @ObservationIgnored private var token: ObservationToken?

  /// - Parameter states: what ``Store/states(of:)->ResultStates<Object>`` gives.
  public init(_ states: ResultStates<Object>) {
    token = ObservationToken(
      states, { [weak self] in self?.error = $0 }, { [weak self] in self?.value = $0 })
  }
}
