import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Sends the steps of calls as spans to a collector of OpenTelemetry (OTLP over HTTP, in JSON).
  ///
  /// ```swift
  /// let exporter = Graph.TraceExporter(
  ///   collector: URL(string: "http://localhost:4318")!, service: "orders")
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.observers = [exporter]
  /// ```
  ///
  /// A call is part of the trace of `TraceContext.current`. Without one, it begins a trace, of which a share is
  /// recorded (``Settings/sampledShare``). Spans are sent in batches in the background. If the collector does not
  /// respond, a batch is sent three times at most; the number of spans that were lost is ``droppedSpanCount``.
  ///
  /// Call ``flush()`` before the program ends.
  public final class TraceExporter: Observer {
    /// The settings of an exporter.
    public struct Settings: Sendable {
      /// Header fields for the collector, such as a token.
      public var headers: Headers = [:]
      /// The share of calls without a trace that begin a recorded one, from 0 to 1.
      public var sampledShare = 1.0
      /// The longest time until a span is sent.
      public var interval = Duration.seconds(5)
      /// The number of spans in a request.
      public var batchSize = 512
      /// The number of spans that may wait; further ones are dropped.
      public var maximumWaitingCount = 4096
      /// The time limit of a request to the collector.
      public var timeout = Duration.seconds(10)
      package var time: any TimeSource = SystemTime()

      /// The standard settings.
      public init() {}
    }

    private struct State {
      var waiting: [Span] = []
      /// The events of calls that have not ended, by the number of the call.
      var events: [UInt64: [Span.Event]] = [:]
      var droppedCount = 0
      var isScheduled = false
      var isSendingFullBatches = false
      var sending: Task<Void, Never>?
    }

    private let sender: SpanSender
    private let settings: Settings
    private let state = Locked(State())

    /// An exporter.
    ///
    /// - Parameters:
    ///   - collector: its address without the path, which is `/v1/traces`.
    ///   - service: the name of the service (`service.name`).
    ///   - transport: carries the spans; that of clients by default.
    public init(
      collector: URL, service: String, settings: Settings = Settings(),
      transport: (any Transport)? = nil
    ) {
      self.settings = settings
      sender = SpanSender(
        url: collector.appending(path: "v1/traces"), service: service, settings: settings,
        transport: transport ?? standardTransport())
    }

    /// The number of spans that the collector did not receive.
    public var droppedSpanCount: Int { state.withLock { $0.droppedCount } }

    public func traceContext() -> TraceContext? {
      .newTrace(isSampled: settings.time.random() < settings.sampledShare)
    }

    public func observe(_ event: ObservedEvent) {
      guard let call = event.call, let trace = call.trace, trace.isSampled else { return }
      if case .ended(let end) = event.step {
        let events = state.withLock { $0.events.removeValue(forKey: call.id) } ?? []
        if let span = event.callSpan(of: call, in: trace, end, events: events) { add(span) }
      } else if let spanEvent = event.spanEvent {
        state.withLock { state in
          // A subscription may have any number of responses.
          if state.events[call.id, default: []].count < 128 {
            state.events[call.id, default: []].append(spanEvent)
          }
        }
      } else if let span = event.span(of: call, in: trace) {
        add(span)
      }
    }

    /// Sends the spans of all steps so far, and returns when the collector has received them, or does not respond. The
    /// rest of the spans wait then.
    public func flush() async {
      let sending = state.withLock { state in
        let former = state.sending
        let sending = Task(priority: .utility) {
          await former?.value
          await sendWaiting()
        }
        state.sending = sending
        return sending
      }
      await sending.value
    }

    /// Sends the spans that wait now. Later ones are collected for the next batch.
    private func sendWaiting() async {
      var count = state.withLock { $0.waiting.count }
      while count > 0 {
        let batch = takeBatch(count)
        count -= batch.count
        guard !batch.isEmpty else { return }
        let outcome = await sender.send(batch)
        guard outcome != .received else { continue }
        state.withLock { $0.droppedCount += batch.count }
        if outcome == .unavailable { return }
      }
    }

    /// Sends what waits until it is less than a batch.
    private func sendFullBatches() async {
      while true {
        await flush()
        let continues = state.withLock { state in
          state.isSendingFullBatches = state.waiting.count >= batchSize
          return state.isSendingFullBatches
        }
        guard continues else { return }
      }
    }

    /// Sends what waits after each interval, until nothing does.
    private func sendAtIntervals() async {
      while true {
        try? await settings.time.sleep(for: settings.interval)
        await flush()
        let continues = state.withLock { state in
          state.isScheduled = !state.waiting.isEmpty
          return state.isScheduled
        }
        guard continues else { return }
      }
    }

    private func add(_ span: Span) {
      let (isFull, begins) = state.withLock { state -> (Bool, Bool) in
        guard state.waiting.count < settings.maximumWaitingCount else {
          state.droppedCount += 1
          return (false, false)
        }
        state.waiting.append(span)
        let isFull = state.waiting.count >= batchSize && !state.isSendingFullBatches
        if isFull { state.isSendingFullBatches = true }
        defer { state.isScheduled = true }
        return (isFull, !state.isScheduled)
      }
      if begins { Task.detached(priority: .utility) { await self.sendAtIntervals() } }
      if isFull { Task.detached(priority: .utility) { await self.sendFullBatches() } }
    }

    private var batchSize: Int { max(settings.batchSize, 1) }

    private func takeBatch(_ maximumCount: Int) -> [Span] {
      state.withLock { state in
        let batch = Array(state.waiting.prefix(min(batchSize, maximumCount)))
        state.waiting.removeFirst(batch.count)
        return batch
      }
    }
  }
}

/// Sends batches of spans to a collector (OTLP 1.0, OTLP/HTTP).
struct SpanSender: Sendable {
  private static let maximumAttempts = 3
  /// The longest delay that a collector may request.
  private static let maximumDelay = Duration.seconds(30)

  let url: URL
  let service: String
  let settings: Graph.TraceExporter.Settings
  let transport: any Graph.Transport

  enum Outcome {
    case received
    /// The collector would refuse them again.
    case refused
    /// The collector does not respond, or is busy.
    case unavailable
  }

  func send(_ spans: [Span]) async -> Outcome {
    var headers = settings.headers
    headers["Content-Type"] = "application/json"
    var request = Graph.HTTPRequest(
      method: .post, url: url, headers: headers, body: .bytes(body(spans)),
      timeout: settings.timeout)
    // Two copies of a span are one span.
    request.isIdempotent = true
    var attempt = 1
    while true {
      let delay: Duration
      do {
        let response = try await transport.send(request)
        for try await _ in response.body {}
        if (200..<300).contains(response.status) { return .received }
        guard [429, 502, 503, 504].contains(response.status) else { return .refused }
        delay =
          Graph.RetryAfter.delay(response.headers, now: settings.time.now) ?? backoff(attempt)
      } catch {
        delay = backoff(attempt)
      }
      guard attempt < Self.maximumAttempts,
        (try? await settings.time.sleep(for: min(delay, Self.maximumDelay))) != nil
      else { return .unavailable }
      attempt += 1
    }
  }

  private func backoff(_ attempt: Int) -> Duration {
    .seconds(settings.time.random() * Double(1 << attempt))
  }

  private func body(_ spans: [Span]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("resourceSpans")
    writer.beginArray()
    writer.beginObject()
    writer.key("resource")
    writer.beginObject()
    writer.attributes([("service.name", .string(service))])
    writer.endObject()
    writer.key("scopeSpans")
    writer.beginArray()
    writer.beginObject()
    writer.key("scope")
    writer.value(["name": "Treeswift"])
    writer.key("spans")
    writer.beginArray()
    for span in spans { span.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endArray()
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return writer.finish()
  }
}
