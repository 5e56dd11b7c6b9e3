import GraphClient
import GraphQLRuntime

extension Graph {
  /// Counters and histograms of calls in the text format of OpenMetrics, which Prometheus reads.
  ///
  /// ```swift
  /// let metrics = Graph.Metrics()
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.observers = [metrics]
  /// ```
  ///
  /// A server responds to `GET /metrics` with ``text()`` and the content type ``contentType``. Several clients may share
  /// one object; series of calls have the label `endpoint`. Buckets of the duration of calls have the trace of their
  /// last sampled call as an exemplar.
  public final class Metrics: Observer {
    /// `application/openmetrics-text`, with its version and encoding.
    public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    private let families: Locked<MetricFamilies>

    /// Metrics without values.
    ///
    /// - Parameters:
    ///   - maximumOperationCount: the number of operation names that have series of their own. Further ones are counted
    ///     as `other`, so that names that are made at run time do not fill the memory.
    ///   - maximumEndpointCount: the same for endpoints, such as those of a service with one for each customer.
    public init(maximumOperationCount: Int = 500, maximumEndpointCount: Int = 100) {
      families = Locked(
        MetricFamilies(
          maximumOperationCount: maximumOperationCount, maximumEndpointCount: maximumEndpointCount))
    }

    public func observe(_ event: ObservedEvent) { families.withLock { $0.add(event) } }

    /// The metrics so far.
    public func text() -> String {
      let families = families.withLock { $0 }
      return families.text
    }
  }
}
