import Foundation
import GraphClient
import GraphQLRuntime

/// Calls and events with fixed values.
enum Sample {
  static let trace = Graph.TraceContext(
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")!
  static let date = Date(timeIntervalSince1970: 1_700_000_000.25)

  static func call(
    _ name: String? = "Shop", endpoint: String = "https://shop.example:443/graphql",
    id: UInt64 = 7, trace: Graph.TraceContext? = nil
  ) -> Graph.ObservedCall {
    Graph.ObservedCall(
      id: id, operationName: name, kind: .query, endpoint: endpoint, trace: trace,
      parentSpan: Graph.TraceContext.SpanID(1))
  }

  static func event(
    _ step: Graph.ObservedStep, _ call: Graph.ObservedCall? = call(),
    duration: Duration = .milliseconds(20)
  ) -> Graph.ObservedEvent {
    Graph.ObservedEvent(call: call, step: step, date: date, duration: duration)
  }

  /// An error whose response has a secret.
  static let error = Graph.QueryError(
    .status, message: "status 503 secret-7f3a",
    response: Graph.FailedResponse(status: 503, bytes: Array("secret-7f3a".utf8)))

  /// One event of each kind.
  static func all(_ call: Graph.ObservedCall = call()) -> [Graph.ObservedEvent] {
    let steps: [Graph.ObservedStep] = [
      .began, .cacheRead(.hit(age: .seconds(2))), .cacheRead(.hit(age: nil)),
      .cacheRead(.notStored),
      .cacheRead(.tooOld), .cacheRead(.unreadable), .cacheRead(.failed), .joinedEqualQuery,
      .waitedForProcesses(.granted), .waited(.serverPause),
      .exchange(.init(status: 503, sentBytes: 70, receivedBytes: 4)),
      .attempt(.init(number: 1, status: 503, error: error, span: Graph.TraceContext.SpanID(2))),
      .retry(.status(503), after: .milliseconds(1500)), .retry(.connection, after: .zero),
      .retry(.throttled, after: .zero),
      .exchange(.init(status: 200, sentBytes: nil, receivedBytes: 34, operationCount: 2)),
      .responseRead(byteCount: 34),
      .attempt(.init(number: 2, status: 200, errorCount: 1, span: Graph.TraceContext.SpanID(3))),
      .stored(.cached), .stored(.stored), .stored(.notCacheable), .stored(.failed(error)),
      .delivered(.init(isCached: true)), .delivered(.init(isCached: false, errorCount: 1)),
      .connectionOpened(.http), .connectionEnded(.http, error), .ended(.completed),
    ]
    return steps.map { event($0, call) } + [
      event(.connectionOpened(.webSocket), nil), event(.connectionEnded(.webSocket, nil), nil),
      event(.queuedOperation(id: "op", from: nil, to: "pending"), nil),
      event(.queuedOperation(id: "op", from: "pending", to: "rejected"), nil),
    ]
  }
}
