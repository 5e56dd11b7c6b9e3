import GraphClient
import GraphQLRuntime
import Metrics

/// Passes the number and the duration of calls, and the results of the cache, to swift-metrics.
struct MetricsObserver: Graph.Observer {
  func observe(_ event: Graph.ObservedEvent) {
    guard let call = event.call else { return }
    let operation = ("operation", call.operationName ?? "anonymous")
    switch event.step {
    case .ended:
      let (seconds, attoseconds) = event.duration.components
      Timer(label: "graphql_call_duration", dimensions: [operation])
        .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    case .cacheRead(let read):
      let isHit = if case .hit = read { "true" } else { "false" }
      Counter(label: "graphql_cache_reads", dimensions: [operation, ("hit", isHit)]).increment()
    case .retry: Counter(label: "graphql_retries", dimensions: [operation]).increment()
    default: break
    }
  }
}
