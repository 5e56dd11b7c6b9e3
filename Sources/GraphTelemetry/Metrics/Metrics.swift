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

/// All metrics of a ``Graph/Metrics``.
struct MetricFamilies {
  private var operations: LimitedNames
  private var endpoints: LimitedNames

  private var calls = Counter(
    "graphql_client_calls", "Calls that have ended.",
    labels: ["endpoint", "kind", "operation", "result", "error"])
  private var callSeconds = Histogram(
    "graphql_client_call_duration_seconds", "The duration of calls.",
    labels: ["endpoint", "kind", "operation"], bounds: Histogram.callBounds)
  private var callsInProgress = Counter(
    "graphql_client_calls_in_progress", "Calls that have not ended.", isGauge: true,
    labels: ["endpoint", "kind"])
  private var responses = Counter(
    "graphql_client_responses", "Responses that callers have received.",
    labels: ["endpoint", "kind", "operation", "source", "errors"])
  private var cacheReads = Counter(
    "graphql_client_cache_reads", "Reads of the cache or the store.",
    labels: ["endpoint", "operation", "result"])
  private var waitSeconds = Histogram(
    "graphql_client_wait_duration_seconds",
    "Waits of calls for equal queries, other processes, the server's pauses and rate limits.",
    labels: ["endpoint", "reason"], bounds: Histogram.callBounds)
  private var attempts = Counter(
    "graphql_client_attempts", "Attempts to send an operation.",
    labels: ["endpoint", "kind", "operation", "status", "error"])
  private var attemptSeconds = Histogram(
    "graphql_client_attempt_duration_seconds", "The duration of attempts.",
    labels: ["endpoint", "kind", "operation"], bounds: Histogram.callBounds)
  private var retries = Counter(
    "graphql_client_retries", "Attempts that are followed by another one.",
    labels: ["endpoint", "operation", "reason"])
  private var requests = Counter(
    "graphql_client_requests", "HTTP requests.", labels: ["endpoint", "status"])
  private var sentBytes = Counter(
    "graphql_client_sent_bytes", "The size of request bodies without files.", unit: "bytes",
    labels: ["endpoint"])
  private var receivedBytes = Counter(
    "graphql_client_received_bytes", "The decoded size of response bodies.", unit: "bytes",
    labels: ["endpoint"])
  private var readSeconds = Histogram(
    "graphql_client_read_duration_seconds",
    "Parsing of responses, and their comparison with the operation.",
    labels: ["endpoint"], bounds: Histogram.stepBounds)
  private var storeSeconds = Histogram(
    "graphql_client_store_duration_seconds", "Writing of responses to the cache or the store.",
    labels: ["endpoint", "result"], bounds: Histogram.stepBounds)
  private var openConnections = Counter(
    "graphql_client_open_connections", "Connections for subscriptions.", isGauge: true,
    labels: ["kind"])
  private var lostConnections = Counter(
    "graphql_client_lost_connections", "Connections for subscriptions that ended with an error.",
    labels: ["kind", "error"])
  private var queuedOperations = Counter(
    "graphql_outbox_transitions", "New states of an outbox's operations.", labels: ["state"])

  init(maximumOperationCount: Int, maximumEndpointCount: Int) {
    operations = LimitedNames(maximumCount: maximumOperationCount)
    endpoints = LimitedNames(maximumCount: maximumEndpointCount)
  }

  mutating func add(_ event: Graph.ObservedEvent) {
    let duration = event.duration
    switch event.step {
    case .connectionOpened(let connection): openConnections.add(1, connection.name)
    case .connectionEnded(let connection, let error):
      openConnections.add(-1, connection.name)
      if let error { lostConnections.add(1, connection.name, error.kind) }
    case .queuedOperation(_, _, let state): queuedOperations.add(1, state)
    default:
      guard let call = event.call else { return }
      add(
        event, duration, kind: call.kind.rawValue, endpoint: endpoints.name(call.endpoint),
        operation: call.operationName.map { operations.name($0) } ?? "anonymous")
    }
  }

  private mutating func add(
    _ event: Graph.ObservedEvent, _ duration: Duration, kind: String, endpoint: String,
    operation: String
  ) {
    switch event.step {
    case .began: callsInProgress.add(1, endpoint, kind)
    case .cacheRead(let read): cacheReads.add(1, endpoint, operation, read.name)
    case .joinedEqualQuery: waitSeconds.add(duration, endpoint, "equal_query")
    case .waitedForProcesses: waitSeconds.add(duration, endpoint, "processes")
    case .waited(let wait): waitSeconds.add(duration, endpoint, wait.name)
    case .attempt(let attempt):
      attempts.add(
        1, endpoint, kind, operation, attempt.status.map(String.init) ?? "",
        attempt.error?.kind ?? "")
      attemptSeconds.add(duration, endpoint, kind, operation)
    case .exchange(let exchange):
      requests.add(1, endpoint, exchange.status.map(String.init) ?? "none")
      sentBytes.add(exchange.sentBytes ?? 0, endpoint)
      receivedBytes.add(exchange.receivedBytes, endpoint)
    case .retry(let reason, _): retries.add(1, endpoint, operation, reason.name)
    case .responseRead: readSeconds.add(duration, endpoint)
    case .stored(let storing): storeSeconds.add(duration, endpoint, storing.name)
    case .delivered(let response):
      responses.add(
        1, endpoint, kind, operation, response.isCached ? "cache" : "network",
        response.errorCount > 0 ? "true" : "false")
    case .ended(let end):
      callsInProgress.add(-1, endpoint, kind)
      calls.add(1, endpoint, kind, operation, end.name, end.error?.kind ?? "")
      callSeconds.add(duration, endpoint, kind, operation, exemplar: event)
    case .connectionOpened, .connectionEnded, .queuedOperation: break
    }
  }

  var text: String {
    var text = OpenMetricsText()
    for counter in [
      calls, callsInProgress, responses, cacheReads, attempts, retries, requests, sentBytes,
      receivedBytes,
      openConnections, lostConnections, queuedOperations,
    ] {
      counter.write(to: &text)
    }
    for histogram in [callSeconds, waitSeconds, attemptSeconds, readSeconds, storeSeconds] {
      histogram.write(to: &text)
    }
    return text.finish()
  }
}

/// The first names that occur. Values of labels that are made at run time would fill the memory, and Prometheus.
struct LimitedNames {
  private let maximumCount: Int
  private var names: Set<String> = []

  init(maximumCount: Int) { self.maximumCount = maximumCount }

  /// The name itself, or `other` if there are too many before it.
  mutating func name(_ name: String) -> String {
    guard !names.contains(name) else { return name }
    guard names.count < maximumCount else { return "other" }
    names.insert(name)
    return name
  }
}
