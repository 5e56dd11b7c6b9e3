import GraphJSON
import GraphQLRuntime

extension Graph {
  /// How an attempt's outcome affects the next one.
  enum RetryDecision: Equatable {
    case done
    /// After a delay that the client chooses.
    case backOff
    /// At the time that the server requests.
    case after(Duration)
  }
}

extension Graph.RetryDecision {
  init(_ result: Result<Graph.OperationResponse, Graph.QueryError>, now: Graph.Timestamp) {
    switch result {
    case .success(let response) where response.data == nil && Self.isBusy(response.status):
      self = Self.requested(response.headers, now: now)
    case .success(let response): self = Self.throttling(response)
    case .failure(let error): self = Self.after(error, now: now)
    }
  }

  private static func after(_ error: Graph.QueryError, now: Graph.Timestamp) -> Self {
    switch error.code {
    case .transport:
      let code = error.transportError?.code
      return code == .cannotConnect || code == .connectionLost ? .backOff : .done
    case .status:
      guard let response = error.response, let status = response.status, isBusy(status) else {
        return .done
      }
      return requested(response.headers, now: now)
    default: return .done
    }
  }

  private static func isBusy(_ status: Int) -> Bool { [429, 502, 503, 504].contains(status) }

  private static func requested(_ headers: Graph.Headers, now: Graph.Timestamp) -> Self {
    Graph.RetryAfter.delay(headers, now: now).map { .after($0) } ?? .backOff
  }

  /// A leaky bucket: the server reports how many points are missing and how fast they return.
  private static func throttling(_ response: Graph.OperationResponse) -> Self {
    guard response.data == nil, response.errors.contains(where: { $0.code == "THROTTLED" }) else {
      return .done
    }
    let cost = response.extensions?["cost"]
    let status = cost?["throttleStatus"]
    guard let requested = cost?["requestedQueryCost"]?.double,
      let available = status?["currentlyAvailable"]?.double,
      let rate = status?["restoreRate"]?.double, rate > 0
    else { return .backOff }
    // An operation that costs more than the bucket's capacity never succeeds.
    if let maximum = status?["maximumAvailable"]?.double, requested > maximum { return .done }
    return .after(.seconds(min(max(requested - available, 0) / rate, 1e9)))
  }
}

extension JSON {
  fileprivate var double: Double? {
    if case .number(let number) = self { number.double } else { nil }
  }
}
