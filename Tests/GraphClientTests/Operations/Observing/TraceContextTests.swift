import GraphQLRuntime
import Testing

@testable import GraphClient

/// W3C Trace Context, level 1.
struct TraceContextTests {
  private static let example = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func readsAndWritesTheField() throws {
    let context = try #require(Graph.TraceContext(traceparent: Self.example, tracestate: "a=1"))
    #expect(context.traceID.description == "0af7651916cd43dd8448eb211c80319c")
    #expect(context.spanID?.description == "b7ad6b7169203331")
    #expect(context.isSampled && context.state == "a=1")
    #expect(context.traceparent == Self.example)
    #expect(Graph.TraceContext.newTrace().traceparent == nil)
  }

  @Test(arguments: [
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", true),
    // A later version may have more fields; this one may not.
    ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-will-be-like", true),
    ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
    ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.x", false),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x", false),
    ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
    ("00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01", false),
    ("0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-+1", false),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", false),
    ("", false),
  ])
  func onlyValidFieldsAreRead(field: String, isValid: Bool) {
    #expect((Graph.TraceContext(traceparent: field) != nil) == isValid)
  }

  @Test func stateThatCannotBeSentIsDropped() {
    for state in ["a=\r\nX: 1", String(repeating: "a", count: 513), "", "a=é"] {
      #expect(Graph.TraceContext(traceparent: Self.example, tracestate: state)?.state == nil)
    }
  }

  @Test func theContextOfTheTaskIsSentAsItIs() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport)
    let context = Graph.TraceContext(traceparent: Self.example, tracestate: "a=1")
    try await Graph.TraceContext.$current.withValue(context) {
      _ = try await client.query(shopQuery())
    }
    _ = try await client.query(shopQuery())
    #expect(transport.requests.map { $0.headers["traceparent"] } == [Self.example, nil])
    #expect(transport.requests.map { $0.headers["tracestate"] } == ["a=1", nil])
  }

  @Test func eachAttemptHasItsOwnSpan() async throws {
    let observer = RecordingObserver()
    let transport = ScriptedTransport(.json("busy", status: 503, type: "text/plain"), .shop)
    let client = Graph.Client.test(transport) { $0.observers = [observer] }
    let context = try #require(Graph.TraceContext(traceparent: Self.example))
    try await Graph.TraceContext.$current.withValue(context) {
      _ = try await client.query(shopQuery())
    }
    let call = try #require(observer.events.first?.call)
    #expect(call.parentSpan == context.spanID && call.trace?.traceID == context.traceID)
    #expect(call.trace?.spanID != context.spanID)
    let spans = observer.events.compactMap {
      if case .attempt(let attempt) = $0.step { attempt.span } else { nil }
    }
    #expect(Set(spans + [call.trace?.spanID].compactMap { $0 }).count == 3)
    let sent = transport.requests.map { Graph.TraceContext(traceparent: $0.headers["traceparent"]) }
    #expect(sent.map { $0?.spanID } == spans && sent.allSatisfy { $0?.traceID == context.traceID })
  }

  @Test func anObserverCanBeginATrace() async throws {
    let trace = Graph.TraceContext.newTrace(isSampled: false)
    let observer = RecordingObserver(context: trace)
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport) { $0.observers = [RecordingObserver(), observer] }
    _ = try await client.query(shopQuery())
    let call = try #require(observer.events.first?.call)
    #expect(call.trace?.traceID == trace.traceID && call.parentSpan == nil)
    #expect(transport.requests[0].headers["traceparent"]?.hasSuffix("-00") == true)
  }

  @Test func aFieldOfTheProgramIsKept() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, headers: ["traceparent": "own"]) {
      $0.observers = [RecordingObserver(context: .newTrace())]
    }
    _ = try await client.query(shopQuery())
    #expect(transport.requests[0].headers.fields.filter { $0.name == "traceparent" }.count == 1)
    #expect(transport.requests[0].headers["traceparent"] == "own")
  }

  /// The span is different in every call; it must not be part of what makes two calls equal.
  @Test func equalQueriesOfSeveralTracesShareTheCache() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    for _ in 0..<3 {
      let context = Graph.TraceContext(
        traceID: .random(), spanID: .random(), isSampled: true)
      try await Graph.TraceContext.$current.withValue(context) {
        _ = try await client.query(shopQuery())
      }
    }
    #expect(transport.requests.count == 1)
  }
}
