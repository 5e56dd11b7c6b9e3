import GraphQLRuntime

extension Graph {
  /// Receives the steps of the calls of a client, and those of its outbox, as values: for logs, metrics and traces.
  ///
  /// ```swift
  /// struct SlowCalls: Graph.Observer {
  ///   func observe(_ event: Graph.ObservedEvent) {
  ///     guard case .ended = event.step, event.duration > .seconds(1),
  ///       let call = event.call
  ///     else { return }
  ///     print("\(call.operationName ?? "anonymous") took \(event.duration)")
  ///   }
  /// }
  /// ```
  ///
  /// Observers are listed in ``ClientConfiguration/observers``. A client without observers creates no events.
  /// Events have neither variables nor header fields. An error (``ObservedStep/ended(_:)``) has the response of the
  /// server, whose values may be secrets.
  public protocol Observer: Sendable {
    /// Called where the step ends, before the call continues, by several threads at the same time. It must return
    /// at once: each call waits for it.
    func observe(_ event: ObservedEvent)

    /// The trace of a call that begins where ``TraceContext/current`` is nil; nil, the default, for none. It is the
    /// place of an adapter for another library of traces, or of a new trace with ``TraceContext/newTrace(isSampled:)``.
    /// The first observer that has one determines it.
    func traceContext() -> TraceContext?
  }
}

extension Graph.Observer {
  public func traceContext() -> Graph.TraceContext? { nil }
}
