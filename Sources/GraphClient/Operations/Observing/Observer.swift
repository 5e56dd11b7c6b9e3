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

extension Graph {
  /// A step that has ended.
  public struct ObservedEvent: Sendable {
    /// The call of which it is a step; nil for web sockets, which several calls share, and for queued operations.
    public let call: ObservedCall?
    /// The step.
    public let step: ObservedStep
    /// When the step ended.
    public let date: Date
    /// How long the step took; zero for a step without duration.
    public let duration: Duration

    /// An event, for tests of an observer.
    public init(call: ObservedCall?, step: ObservedStep, date: Date, duration: Duration = .zero) {
      self.call = call
      self.step = step
      self.date = date
      self.duration = duration
    }
  }

  /// A query, a mutation or a subscription from its beginning to its last response.
  public struct ObservedCall: Sendable, Hashable {
    /// A number that no other call of this process has.
    public let id: UInt64
    /// The operation's name; nil if it has none.
    public let operationName: String?
    /// Query, mutation or subscription.
    public let kind: GraphQL.OperationType
    /// The address to which operations are sent, with its port and without its query.
    public let endpoint: String
    /// The trace of the call, with the call's own span; nil if it has none.
    public let trace: TraceContext?
    /// The span in which the call began; nil if the call begins its trace.
    public let parentSpan: TraceContext.SpanID?

    /// A call, for tests of an observer.
    public init(
      id: UInt64, operationName: String?, kind: GraphQL.OperationType, endpoint: String,
      trace: TraceContext? = nil, parentSpan: TraceContext.SpanID? = nil
    ) {
      self.id = id
      self.operationName = operationName
      self.kind = kind
      self.endpoint = endpoint
      self.trace = trace
      self.parentSpan = parentSpan
    }
  }
}

extension Graph {
  /// A step of a call, of a connection or of a queued operation. Later versions may add cases.
  public enum ObservedStep: Sendable {
    /// A call began.
    case began
    /// The cache or the store was read.
    case cacheRead(ObservedCacheRead)
    /// The call waited for the response to an equal query of this process.
    case joinedEqualQuery
    /// The call waited until another process had sent the same query, or allowed this one to send it.
    case waitedForProcesses(ObservedLease)
    /// The call waited before an attempt.
    case waited(ObservedWait)
    /// The operation was sent once, with all that interceptors did for that.
    case attempt(ObservedAttempt)
    /// An HTTP request was sent and its response received. An attempt with persisted queries can have two, and the
    /// operations of a batch share one, which belongs to the first call that has not ended.
    case exchange(ObservedExchange)
    /// The attempt failed, and there will be another one after the delay.
    case retry(ObservedRetry, after: Duration)
    /// A response was parsed and compared with the operation.
    case responseRead(byteCount: Int)
    /// A response was passed to the cache or to the store.
    case stored(ObservedStoring)
    /// The caller received a response.
    case delivered(ObservedResponse)
    /// The call is over; the last event of each call. Its duration is that of the call.
    case ended(ObservedEnd)
    /// A connection for subscriptions was opened.
    case connectionOpened(ObservedConnection)
    /// A connection for subscriptions ended. The error is nil if it was not needed any longer.
    case connectionEnded(ObservedConnection, QueryError?)
    /// An operation of an outbox has a new state. The states have the names of `Graph.OperationState`; the former
    /// one is nil for a new operation.
    case queuedOperation(id: String, from: String?, to: String)
  }

  /// The result of reading the cache or the store.
  public enum ObservedCacheRead: Sendable, Hashable {
    /// - Parameter age: since the response, or the oldest of its objects, arrived; nil if it is unknown.
    case hit(age: Duration?)
    /// The response is not stored, or not all of it.
    case notStored
    /// The stored response is older than the policy allows.
    case tooOld
    /// The stored response cannot be read, for example because another version of the program stored it.
    case unreadable
    /// The cache failed.
    case failed
  }

  /// How the wait for other processes ended; see ``LeasingStorage``.
  public enum ObservedLease: String, Sendable, Hashable {
    /// Another process has stored a response, which is used.
    case stored
    /// This process sends the query, and others wait for it.
    case granted
    /// The storage does not respond, or the wait took too long: this process sends the query.
    case unavailable
  }

  /// Why a call waited.
  public enum ObservedWait: String, Sendable, Hashable {
    /// The server has requested a pause from all clients, which continue one after the other.
    case serverPause
    /// The budget of the token does not have the points for the request; see ``RateLimiter``.
    case rateLimit
  }

  /// An attempt to send an operation.
  public struct ObservedAttempt: Sendable {
    /// From 1.
    public let number: Int
    /// The status of the response; nil if there is none.
    public let status: Int?
    /// The error of the attempt, and not those in its response; nil if a response was read.
    public let error: QueryError?
    /// The number of errors in the response.
    public let errorCount: Int
    /// The span of the attempt, which the server received as `traceparent`; nil if the call has no trace.
    public let span: TraceContext.SpanID?

    /// An attempt, for tests of an observer.
    public init(
      number: Int, status: Int? = nil, error: QueryError? = nil, errorCount: Int = 0,
      span: TraceContext.SpanID? = nil
    ) {
      self.number = number
      self.status = status
      self.error = error
      self.errorCount = errorCount
      self.span = span
    }
  }

  /// An HTTP request and its response.
  public struct ObservedExchange: Sendable, Hashable {
    /// The status of the response; nil if there is none. The body of a response with a status may not have arrived.
    public let status: Int?
    /// The size of the request's body; nil for a form with files.
    public let sentBytes: Int?
    /// The size of the response's body, decoded; zero for a stream, whose parts are read later.
    public let receivedBytes: Int
    /// The number of operations in the request.
    public let operationCount: Int

    /// An exchange, for tests of an observer.
    public init(status: Int?, sentBytes: Int?, receivedBytes: Int, operationCount: Int = 1) {
      self.status = status
      self.sentBytes = sentBytes
      self.receivedBytes = receivedBytes
      self.operationCount = operationCount
    }
  }

  /// The reason of another attempt.
  public enum ObservedRetry: Sendable, Hashable {
    /// The connection failed or was lost.
    case connection
    /// The server responded with this status.
    case status(Int)
    /// The server responded with the error `THROTTLED`.
    case throttled
  }

  /// The outcome of a response that was passed to the cache or to the store.
  public enum ObservedStoring: Sendable {
    /// The cache has it.
    case cached
    /// The store has its objects.
    case stored
    /// It may not be cached: it has errors or sensitive values, or the cache was purged in the meantime.
    case notCacheable
    /// The cache or the store failed.
    case failed(any Error)
  }

  /// A response as its caller received it.
  public struct ObservedResponse: Sendable, Hashable {
    /// Whether it is from the cache or the store.
    public let isCached: Bool
    /// The number of errors in it.
    public let errorCount: Int

    /// A response, for tests of an observer.
    public init(isCached: Bool, errorCount: Int = 0) {
      self.isCached = isCached
      self.errorCount = errorCount
    }
  }

  /// How a call ended.
  public enum ObservedEnd: Sendable {
    /// With its last response.
    case completed
    /// With an error, which is ``QueryError/isCancelled`` if the caller's task was cancelled.
    case failed(QueryError)
    /// The caller has stopped reading the responses.
    case released
  }

  /// A kind of connection for subscriptions.
  public enum ObservedConnection: String, Sendable, Hashable {
    case webSocket
    /// Server-sent events, or parts of a response over HTTP.
    case http
  }
}

extension Graph {
  /// A place in a distributed trace (W3C Trace Context).
  ///
  /// A client sends it with each HTTP request, as the fields `traceparent` and `tracestate`. A server that receives
  /// a request takes it from there:
  ///
  /// ```swift
  /// func handle(traceparent: String?, _ body: () async throws -> Void) async throws {
  ///   let context = Graph.TraceContext(traceparent: traceparent)
  ///   try await Graph.TraceContext.$current.withValue(context) { try await body() }
  /// }
  /// ```
  public struct TraceContext: Sendable, Hashable {
    /// The trace.
    public let traceID: TraceID
    /// The span that calls are part of; nil at the beginning of a trace.
    public let spanID: SpanID?
    /// Whether the trace is recorded.
    public let isSampled: Bool
    /// The field `tracestate`: what other systems add, passed on as it is.
    public let state: String?

    /// The context of the current task; nil if there is none.
    @TaskLocal public static var current: TraceContext?

    /// A context.
    public init(
      traceID: TraceID, spanID: SpanID?, isSampled: Bool, state: String? = nil
    ) {
      self.traceID = traceID
      self.spanID = spanID
      self.isSampled = isSampled
      self.state = state
    }

    /// The beginning of a new trace.
    public static func newTrace(isSampled: Bool = true) -> TraceContext {
      TraceContext(traceID: .random(), spanID: nil, isSampled: isSampled)
    }

    /// The context with another span.
    func with(_ span: SpanID) -> TraceContext {
      TraceContext(traceID: traceID, spanID: span, isSampled: isSampled, state: state)
    }
  }
}

extension Graph.TraceContext {
  /// 128 bits that identify a trace; not all of them are zero.
  public struct TraceID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// - Returns: nil if both are zero.
    public init?(high: UInt64, low: UInt64) {
      guard high != 0 || low != 0 else { return nil }
      self.high = high
      self.low = low
    }

    /// A new trace's.
    public static func random() -> TraceID {
      while true {
        if let id = TraceID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) {
          return id
        }
      }
    }

    /// 32 hexadecimal digits in lowercase.
    public var description: String { hexDigits(of: high) + hexDigits(of: low) }
  }

  /// 64 bits that identify a span within a trace; not all of them are zero.
  public struct SpanID: Sendable, Hashable, CustomStringConvertible {
    /// The bytes, the first of which is the most significant.
    public let value: UInt64

    /// - Returns: nil if `value` is zero.
    public init?(_ value: UInt64) {
      guard value != 0 else { return nil }
      self.value = value
    }

    /// A new span's.
    public static func random() -> SpanID {
      while true {
        if let id = SpanID(.random(in: 0 ... .max)) { return id }
      }
    }

    /// 16 hexadecimal digits in lowercase.
    public var description: String { hexDigits(of: value) }
  }
}

extension Graph.TraceContext {
  /// The context in the field `traceparent` of a request (W3C Trace Context, 3.2).
  ///
  /// - Parameter tracestate: the field of that name; it is not passed on if it is longer than 512 characters or has
  ///   characters that a header field may not have.
  /// - Returns: nil if the field is missing or not valid. Fields of later versions are read as far as this one knows.
  public init?(traceparent: String?, tracestate: String? = nil) {
    guard
      let fields = traceparent.map({
        $0.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      }),
      fields.count >= 4,
      let version = hexValue(fields[0], digits: 2), version != 0xFF,
      version > 0 || fields.count == 4,
      fields[1].count == 32,
      let high = hexValue(fields[1].prefix(16), digits: 16),
      let low = hexValue(fields[1].suffix(16), digits: 16),
      let traceID = TraceID(high: high, low: low),
      let spanID = hexValue(fields[2], digits: 16).flatMap(SpanID.init),
      let flags = hexValue(fields[3], digits: 2)
    else { return nil }
    let state = tracestate.flatMap { $0.isEmpty || !$0.isTraceState ? nil : $0 }
    self.init(traceID: traceID, spanID: spanID, isSampled: flags & 1 == 1, state: state)
  }

  /// The value of the field `traceparent`; nil at the beginning of a trace, which has no span.
  public var traceparent: String? {
    spanID.map { "00-\(traceID)-\($0)-\(isSampled ? "01" : "00")" }
  }
}

extension String {
  /// Whether the text may be sent as `tracestate`.
  fileprivate var isTraceState: Bool {
    utf8.count <= 512 && utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

private func hexDigits(of value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// The value of hexadecimal digits in lowercase; nil if there are other characters or another number of them.
private func hexValue(_ text: Substring.UTF8View, digits: Int) -> UInt64? {
  guard text.count == digits else { return nil }
  var value: UInt64 = 0
  for byte in text {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"):
      value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
    default: return nil
    }
  }
  return value
}
