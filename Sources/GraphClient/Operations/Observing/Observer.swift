import Foundation
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

extension Graph {
  /// The observers of a client.
  package struct Observers: Sendable {
    private let observers: [any Observer]
    let time: any TimeSource
    /// Without its query, which may have secrets.
    let endpoint: String

    /// nil if there are no observers, so that nothing is measured for them.
    init?(_ observers: [any Observer], endpoint: URL, time: any TimeSource) {
      guard !observers.isEmpty else { return nil }
      self.observers = observers
      self.time = time
      self.endpoint = endpoint.origin + endpoint.path
    }

    /// - Parameter start: the uptime at which the step began; nil for a step without duration.
    package func emit(
      _ step: ObservedStep, of call: ObservedCall? = nil, since start: Duration? = nil
    ) {
      let now = time.now
      let event = ObservedEvent(
        call: call, step: step, date: Date(timeIntervalSince1970: now.wall.inSeconds),
        duration: start.map { now.uptime - $0 } ?? .zero)
      for observer in observers { observer.observe(event) }
    }

    /// The trace in which a call begins.
    var traceContext: TraceContext? {
      if let current = TraceContext.current { return current }
      for observer in observers {
        if let context = observer.traceContext() { return context }
      }
      return nil
    }
  }

  /// One call of a client with observers. It has ended when nothing refers to it, at the latest.
  final class CallObservation: Sendable {
    private struct State {
      var hasEnded = false
      /// When the connection over HTTP was opened; nil if there is none.
      var opening: Duration?
    }

    private static let count = Locked<UInt64>(0)

    private let observers: Observers
    private let call: ObservedCall
    private let start: Duration
    private let state = Locked(State())

    init(_ observers: Observers, name: String?, kind: GraphQL.OperationType) {
      let id = Self.count.withLock { count in
        count += 1
        return count
      }
      let context = observers.traceContext
      call = ObservedCall(
        id: id, operationName: name, kind: kind, endpoint: observers.endpoint,
        trace: context?.with(.random()), parentSpan: context?.spanID)
      self.observers = observers
      start = observers.time.now.uptime
      observers.emit(.began, of: call)
    }

    deinit { end(.released) }

    var uptime: Duration { observers.time.now.uptime }

    /// The context of a new attempt.
    func attemptContext() -> TraceContext? { call.trace?.with(.random()) }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Work that the call has abandoned may continue, and its steps are no longer those of the call.
    ///
    /// - Parameter start: the ``uptime`` at which the step began; nil for a step without duration.
    func emit(_ step: ObservedStep, since start: Duration? = nil) {
      if !hasEnded { observers.emit(step, of: call, since: start) }
    }

    /// A subscription has a connection over HTTP.
    func openConnection() {
      let uptime = uptime
      let opens = state.withLock { state in
        if !state.hasEnded { state.opening = uptime }
        return !state.hasEnded
      }
      if opens { emit(.connectionOpened(.http)) }
    }

    /// The connection of a subscription has ended, if there is one.
    ///
    /// - Parameter error: nil if it was not needed any longer.
    func closeConnection(_ error: QueryError?) {
      let opening = state.withLock { $0.opening.take() }
      if let opening { emit(.connectionEnded(.http, error), since: opening) }
    }

    func end(_ end: ObservedEnd) {
      // A caller that stops reading leaves the connection open.
      closeConnection(nil)
      let isFirst = state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
      if isFirst { observers.emit(.ended(end), of: call, since: start) }
    }
  }
}

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

extension Graph.CallObservation? {
  /// Reads a response, and observes how long it takes.
  func reading<Content, Failure: Error>(
    _ byteCount: Int, _ read: () throws(Failure) -> Content
  ) throws(Failure) -> Content {
    guard let self else { return try read() }
    let start = self.uptime
    defer { self.emit(.responseRead(byteCount: byteCount), since: start) }
    return try read()
  }
}
