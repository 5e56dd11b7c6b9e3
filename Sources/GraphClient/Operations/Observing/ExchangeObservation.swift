import GraphQLRuntime

extension Graph {
  /// An HTTP request in progress.
  struct ExchangeObservation {
    /// Those of its operations, the first of which that has not ended has the exchange.
    private let observations: [CallObservation]
    private let start: Duration
    private let sentBytes: Int?
    private let operationCount: Int
    /// The status of the response, whose body may not arrive.
    var status: Int?

    /// - Returns: nil if nothing observes the calls.
    init?(_ requests: [OperationRequest], _ http: HTTPRequest) {
      observations = requests.compactMap(\.observation)
      guard let first = observations.first else { return nil }
      start = first.uptime
      sentBytes =
        switch http.body {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .multipart: nil
        }
      operationCount = requests.count
    }

    func end(receivedBytes: Int) {
      observations.first { !$0.hasEnded }?.emit(
        .exchange(
          ObservedExchange(
            status: status, sentBytes: sentBytes, receivedBytes: receivedBytes,
            operationCount: operationCount)), since: start)
    }
  }
}

extension Graph.Headers {
  /// Adds the fields of a trace, unless they have a `traceparent` already.
  mutating func add(_ context: Graph.TraceContext) {
    guard self["traceparent"] == nil, let traceparent = context.traceparent else { return }
    self["traceparent"] = traceparent
    self["tracestate"] = context.state
  }
}
