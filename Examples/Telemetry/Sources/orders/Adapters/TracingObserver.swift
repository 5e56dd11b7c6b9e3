import Foundation
import GraphClient
import GraphQLRuntime
import Tracing

/// Makes a span of swift-distributed-tracing for each call, and sends its context with the requests.
struct TracingObserver: Graph.Observer {
  func traceContext() -> Graph.TraceContext? {
    guard let context = ServiceContext.current else { return nil }
    var fields: [String: String] = [:]
    InstrumentationSystem.instrument.inject(context, into: &fields, using: Fields())
    return Graph.TraceContext(traceparent: fields["traceparent"], tracestate: fields["tracestate"])
  }

  func observe(_ event: Graph.ObservedEvent) {
    guard case .ended(let end) = event.step, let call = event.call else { return }
    let finish = event.date.timeIntervalSince1970
    let duration = event.duration / .seconds(1)
    let span = InstrumentationSystem.tracer.startSpan(
      call.operationName ?? "anonymous", context: .current ?? .topLevel, ofKind: .client,
      at: instant(finish - duration))
    span.attributes["graphql.operation.type"] = call.kind.rawValue
    if case .failed(let error) = end { span.recordError(error) }
    span.end(at: instant(finish))
  }

  private func instant(_ seconds: Double) -> DefaultTracerClock.Timestamp {
    .init(nanosecondsSinceEpoch: UInt64(seconds * 1e9))
  }
}

private struct Fields: Injector {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
    carrier[key] = value
  }
}
