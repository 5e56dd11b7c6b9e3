import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphTelemetry

struct TraceExporterTests {
  /// A collector in memory.
  private final class Collector: Graph.Transport {
    private let onRequest: @Sendable () -> Void
    private let state = Locked(
      (requests: [Graph.HTTPRequest](), statuses: [Int](), headers: Graph.Headers()))

    /// - Parameter statuses: of the responses; 200 after them, and 0 for no response.
    init(
      _ statuses: Int..., headers: Graph.Headers = [:],
      onRequest: @escaping @Sendable () -> Void = {}
    ) {
      self.onRequest = onRequest
      state.withLock { ($0.statuses, $0.headers) = (statuses, headers) }
    }

    var requests: [Graph.HTTPRequest] { state.withLock { $0.requests } }

    /// The spans of all requests that were accepted.
    var spans: [[String: Any]] {
      get throws {
        try requests.flatMap { request -> [[String: Any]] in
          guard case .bytes(let bytes) = request.body else { return [] }
          let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
          let resources = object?["resourceSpans"] as? [[String: Any]] ?? []
          let scopes = resources.flatMap { $0["scopeSpans"] as? [[String: Any]] ?? [] }
          return scopes.flatMap { $0["spans"] as? [[String: Any]] ?? [] }
        }
      }
    }

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      onRequest()
      let (status, headers) = state.withLock { state in
        state.requests.append(request)
        return (state.statuses.isEmpty ? 200 : state.statuses.removeFirst(), state.headers)
      }
      guard status > 0 else { throw Graph.TransportError(.cannotConnect, message: "no collector") }
      return Graph.HTTPResponse(status: status, headers: headers, url: request.url, body: .init([]))
    }
  }

  /// Time that passes at once, except for the interval, in which only the test sends.
  private final class PassingTime: Graph.TimeSource {
    private let state = Locked((sleeps: [Duration](), chance: 0.5))
    var sleeps: [Duration] { state.withLock { $0.sleeps } }
    var now: Graph.Timestamp { .now }
    init(chance: Double = 0.5) { state.withLock { $0.chance = chance } }
    func random() -> Double { state.withLock { $0.chance } }
    func sleep(for duration: Duration) async throws {
      state.withLock { $0.sleeps.append(duration) }
      if duration == TraceExporterTests.interval { try await Task.sleep(for: duration) }
    }
  }

  private static let interval = Duration.seconds(3600)

  private static let address = URL(string: "http://collector.example:4318")!

  private func exporter(
    _ collector: Collector, time: PassingTime = PassingTime(),
    _ configure: (inout Graph.TraceExporter.Settings) -> Void = { _ in }
  ) -> Graph.TraceExporter {
    var settings = Graph.TraceExporter.Settings()
    settings.interval = Self.interval
    settings.time = time
    configure(&settings)
    return Graph.TraceExporter(
      collector: Self.address, service: "orders", settings: settings, transport: collector)
  }

  @Test func theSpansOfACall() async throws {
    let collector = Collector()
    let exporter = exporter(collector)
    for event in Sample.all(Sample.call(trace: Sample.trace)) { exporter.observe(event) }
    await exporter.flush()
    let request = try #require(collector.requests.first)
    #expect(request.url.absoluteString == "http://collector.example:4318/v1/traces")
    #expect(request.headers["Content-Type"] == "application/json")
    let spans = try collector.spans
    #expect(spans.allSatisfy { $0["traceId"] as? String == Sample.trace.traceID.description })
    let call = try #require(spans.last)
    #expect(call["name"] as? String == "query Shop" && call["kind"] as? Int == 1)
    #expect(call["spanId"] as? String == "b7ad6b7169203331")
    #expect(call["parentSpanId"] as? String == "0000000000000001")
    #expect(call["startTimeUnixNano"] as? String == "1700000000230000000")
    #expect(call["endTimeUnixNano"] as? String == "1700000000250000000")
    #expect((call["events"] as? [Any])?.count == 7)
    let attempts = spans.filter { $0["name"] as? String == "attempt" }
    #expect(attempts.map { $0["spanId"] as? String } == ["0000000000000002", "0000000000000003"])
    #expect(attempts.allSatisfy { $0["kind"] as? Int == 3 })
    #expect(spans.dropLast().allSatisfy { $0["parentSpanId"] as? String == "b7ad6b7169203331" })
    #expect(attempts.map { $0["status"] != nil } == [true, false])
    guard case .bytes(let bytes) = request.body else { return }
    #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
  }

  @Test func tracesThatAreNotSampledAreNotSent() async throws {
    let collector = Collector()
    let exporter = exporter(collector)
    let unsampled = Graph.TraceContext(
      traceID: .random(), spanID: .random(), isSampled: false)
    for event in Sample.all(Sample.call(trace: unsampled)) { exporter.observe(event) }
    for event in Sample.all(Sample.call(trace: nil)) { exporter.observe(event) }
    await exporter.flush()
    #expect(collector.requests.isEmpty)
  }

  @Test(arguments: [(0.4, true), (0.6, false)])
  func aShareOfTracesIsSampled(chance: Double, isSampled: Bool) {
    let exporter = exporter(Collector(), time: PassingTime(chance: chance)) {
      $0.sampledShare = 0.5
    }
    #expect(exporter.traceContext()?.isSampled == isSampled)
  }

  @Test func aBusyCollectorGetsTheBatchAgain() async throws {
    let time = PassingTime()
    let collector = Collector(503, 0, headers: ["Retry-After": "3"])
    let exporter = exporter(collector, time: time)
    exporter.observe(Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace)))
    await exporter.flush()
    #expect(collector.requests.count == 3 && exporter.droppedSpanCount == 0)
    #expect(time.sleeps.contains(.seconds(3)))
  }

  @Test func spansAreDroppedIfTheCollectorDoesNotRespond() async throws {
    let collector = Collector(0, 0, 0, 400)
    let exporter = exporter(collector)
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    exporter.observe(event)
    await exporter.flush()
    #expect(collector.requests.count == 3 && exporter.droppedSpanCount == 1)
    exporter.observe(event)
    await exporter.flush()
    // A batch that the collector refuses would be refused again.
    #expect(collector.requests.count == 4 && exporter.droppedSpanCount == 2)
    exporter.observe(event)
    await exporter.flush()
    #expect(collector.requests.count == 5 && exporter.droppedSpanCount == 2)
  }

  @Test func waitingSpansAreLimited() async throws {
    let collector = Collector()
    let exporter = exporter(collector) {
      $0.maximumWaitingCount = 10
      $0.batchSize = 20
    }
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    for _ in 0..<15 { exporter.observe(event) }
    await exporter.flush()
    #expect(try collector.spans.count == 10 && exporter.droppedSpanCount == 5)
  }

  /// Under load, spans arrive while others are sent. They wait for the next batch.
  @Test func aFlushEndsWhileSpansArrive() async throws {
    let exporter = Locked<Graph.TraceExporter?>(nil)
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    let collector = Collector {
      for _ in 0..<3 { exporter.withLock { $0 }?.observe(event) }
    }
    exporter.withLock {
      $0 = self.exporter(collector) {
        $0.batchSize = 4
        $0.time = Graph.SystemTime()
      }
    }
    defer { exporter.withLock { $0 = nil } }
    exporter.withLock { $0 }?.observe(event)
    await exporter.withLock { $0 }?.flush()
    #expect(collector.requests.count == 1)
    await exporter.withLock { $0 }?.flush()
    #expect(try collector.spans.count == 4 && collector.requests.count == 2)
  }

  /// The end of a program waits for one batch, and not for all.
  @Test func aFlushEndsIfTheCollectorDoesNotRespond() async throws {
    let collector = Collector(0, 0, 0)
    let exporter = exporter(collector) { $0.batchSize = 1000 }
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    for _ in 0..<10 { exporter.observe(event) }
    await exporter.flush()
    #expect(collector.requests.count == 3 && exporter.droppedSpanCount == 10)
  }

  @Test(arguments: [0, -1])
  func aBatchHasASpan(size: Int) async throws {
    let collector = Collector()
    let exporter = exporter(collector) { $0.batchSize = size }
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    for _ in 0..<3 { exporter.observe(event) }
    await exporter.flush()
    try await wait { (try? collector.spans.count) == 3 }
  }

  @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity)])
  func oddDatesAreSent(date: Date) async throws {
    let collector = Collector()
    let exporter = exporter(collector)
    exporter.observe(
      Graph.ObservedEvent(
        call: Sample.call(trace: Sample.trace), step: .cacheRead(.tooOld), date: date))
    await exporter.flush()
    #expect(try collector.spans.count == 1)
  }

  @Test func aFullBatchIsSentAtOnce() async throws {
    let collector = Collector()
    var settings = Graph.TraceExporter.Settings()
    settings.interval = .seconds(3600)
    settings.batchSize = 4
    let exporter = Graph.TraceExporter(
      collector: Self.address, service: "orders", settings: settings, transport: collector)
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    for _ in 0..<4 { exporter.observe(event) }
    try await wait { (try? collector.spans.count) == 4 }
    #expect(collector.requests.count == 1)
  }

  @Test func spansAreSentAfterTheInterval() async throws {
    let collector = Collector()
    let exporter = exporter(collector) { $0.interval = .zero }
    let event = Sample.event(.cacheRead(.tooOld), Sample.call(trace: Sample.trace))
    exporter.observe(event)
    try await wait { (try? collector.spans.count) == 1 }
    exporter.observe(event)
    try await wait { (try? collector.spans.count) == 2 }
  }

  /// The server's spans continue the trace of the attempt that it received.
  @Test func aClientSendsTheSpanOfTheAttempt() async throws {
    let collector = Collector()
    let exporter = exporter(collector)
    let sent = Locked<String?>(nil)
    struct Shop: Graph.Transport {
      let sent: Locked<String?>
      func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
        sent.withLock { $0 = request.headers["traceparent"] }
        return Graph.HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], url: request.url,
          body: .init(Array(#"{"data":{"shop":{"name":"Shoes"}}}"#.utf8)))
      }
    }
    var configuration = Graph.ClientConfiguration()
    configuration.observers = [exporter]
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: Shop(sent: sent),
      configuration: configuration)
    _ = try await client.query(Storefront.buildQuery(named: "Shop") { $0.shop { $0.name() } })
    await exporter.flush()
    let attempt = try #require(collector.spans.first { $0["name"] as? String == "attempt" })
    let trace = try #require(attempt["traceId"] as? String)
    let span = try #require(attempt["spanId"] as? String)
    #expect(sent.withLock { $0 } == "00-\(trace)-\(span)-01")
  }
}
