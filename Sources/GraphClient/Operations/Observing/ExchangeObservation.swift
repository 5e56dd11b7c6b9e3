import GraphQLRuntime

extension Graph {
  /// An HTTP request in progress.
  struct ExchangeObservation {
    private let observation: CallObservation
    private let start: Duration
    private let sentBytes: Int?
    private let operationCount: Int

    /// - Returns: nil if nothing observes the call.
    init?(_ observation: CallObservation?, _ http: HTTPRequest, operationCount: Int = 1) {
      guard let observation else { return nil }
      self.observation = observation
      start = observation.uptime
      sentBytes =
        switch http.body {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .multipart: nil
        }
      self.operationCount = operationCount
    }

    func end(status: Int?, receivedBytes: Int) {
      observation.emit(
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
