import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

/// A span of OpenTelemetry.
struct Span: Sendable {
  enum Kind: Int, Sendable {
    case inside = 1
    /// A request to another process.
    case client = 3
  }

  /// Something that happened during the span.
  struct Event: Sendable {
    let name: String
    let date: Date
    let attributes: [(String, JSON)]
  }

  let trace: Graph.TraceContext
  let id: Graph.TraceContext.SpanID
  let parent: Graph.TraceContext.SpanID?
  let name: String
  let kind: Kind
  let start: Date
  let end: Date
  var attributes: [(String, JSON)] = []
  var events: [Event] = []
  /// The code of the error; nil if there is none.
  var error: String?

  /// The span in the JSON form of OTLP, in which numbers of 64 bits are texts and identifiers are hexadecimal.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("traceId", trace.traceID.description)
    writer.member("spanId", id.description)
    if let state = trace.state { writer.member("traceState", state) }
    if let parent { writer.member("parentSpanId", parent.description) }
    writer.member("name", name)
    writer.key("kind")
    writer.int(kind.rawValue)
    writer.member("startTimeUnixNano", start.nanoseconds)
    writer.member("endTimeUnixNano", end.nanoseconds)
    writer.attributes(attributes)
    if !events.isEmpty {
      writer.key("events")
      writer.beginArray()
      for event in events {
        writer.beginObject()
        writer.member("timeUnixNano", event.date.nanoseconds)
        writer.member("name", event.name)
        writer.attributes(event.attributes)
        writer.endObject()
      }
      writer.endArray()
    }
    if error != nil {
      writer.key("status")
      writer.value(["code": 2])
    }
    writer.endObject()
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  /// Texts, numbers and Booleans, as OTLP writes them.
  mutating func attributes(_ attributes: [(String, JSON)]) {
    guard !attributes.isEmpty else { return }
    key("attributes")
    beginArray()
    for (name, content) in attributes {
      beginObject()
      member("key", name)
      key("value")
      beginObject()
      switch content {
      case .bool(let flag):
        key("boolValue")
        bool(flag)
      case .number(let number): member("intValue", number.text)
      case .string(let text): member("stringValue", text)
      default: break
      }
      endObject()
      endObject()
    }
    endArray()
  }
}

extension Date {
  /// Since 1970, in decimal.
  fileprivate var nanoseconds: String {
    // A double has microseconds. The field has 64 bits without a sign; Int64 has them until 2262.
    let microseconds = timeIntervalSince1970 * 1e6
    guard microseconds > 0 else { return "0" }
    return "\(Int64(min(microseconds.rounded(), 9e15)) * 1000)"
  }
}

extension Graph.ObservedEvent {
  /// The step as a span; nil for the end of a call, and for a step that takes no time.
  func span(of call: Graph.ObservedCall, in trace: Graph.TraceContext) -> Span? {
    switch step {
    case .attempt(let attempt):
      guard let id = attempt.span else { return nil }
      var span = span(of: call, in: trace, "attempt", id: id, kind: .client)
      span.attributes += call.attributes
      if let status = attempt.status {
        span.attributes.append(("http.response.status_code", .number(JSON.Number(status))))
      }
      if attempt.number > 1 {
        span.attributes.append(
          ("http.request.resend_count", .number(JSON.Number(attempt.number - 1))))
      }
      if attempt.errorCount > 0 {
        span.attributes.append(
          ("graphql.response.errors", .number(JSON.Number(attempt.errorCount))))
      }
      if let error = attempt.error {
        span.error = error.kind
        span.attributes.append(("error.type", .string(error.kind)))
      }
      return span
    case .cacheRead(let read):
      var span = span(of: call, in: trace, "cache read")
      span.attributes.append(("treeswift.cache.result", .string(read.name)))
      return span
    case .joinedEqualQuery: return span(of: call, in: trace, "wait for an equal query")
    case .waitedForProcesses(let lease):
      var span = span(of: call, in: trace, "wait for other processes")
      span.attributes.append(("treeswift.lease.result", .string(lease.rawValue)))
      return span
    case .waited(let wait):
      var span = span(of: call, in: trace, "wait")
      span.attributes.append(("treeswift.wait.reason", .string(wait.name)))
      return span
    case .responseRead(let byteCount):
      var span = span(of: call, in: trace, "read response")
      span.attributes.append(("treeswift.response.size", .number(JSON.Number(byteCount))))
      return span
    case .stored(let storing):
      var span = span(of: call, in: trace, "store response")
      span.attributes.append(("treeswift.store.result", .string(storing.name)))
      if case .failed = storing { span.error = "store" }
      return span
    default: return nil
    }
  }

  /// The span of a call that has ended.
  ///
  /// - Parameter events: those that happened during the call.
  func callSpan(
    of call: Graph.ObservedCall, in trace: Graph.TraceContext, _ end: Graph.ObservedEnd,
    events: [Span.Event]
  ) -> Span? {
    guard let id = trace.spanID else { return nil }
    let name = [call.kind.rawValue, call.operationName].compactMap { $0 }.joined(separator: " ")
    var span = Span(
      trace: trace, id: id, parent: call.parentSpan, name: name, kind: .inside,
      start: start, end: date, attributes: call.attributes, events: events)
    span.attributes.append(("treeswift.result", .string(end.name)))
    if let error = end.error {
      span.error = error.kind
      span.attributes.append(("error.type", .string(error.kind)))
    }
    return span
  }

  /// The step as an event in the span of its call; nil for a step that is a span of its own.
  var spanEvent: Span.Event? {
    switch step {
    case .retry(let reason, _):
      Span.Event(
        name: "retry", date: date, attributes: [("treeswift.retry.reason", .string(reason.name))])
    case .delivered(let response):
      Span.Event(
        name: "response", date: date,
        attributes: [
          ("treeswift.response.cached", .bool(response.isCached)),
          ("graphql.response.errors", .number(JSON.Number(response.errorCount))),
        ])
    case .connectionOpened: Span.Event(name: "connection opened", date: date, attributes: [])
    case .connectionEnded: Span.Event(name: "connection ended", date: date, attributes: [])
    default: nil
    }
  }

  private var start: Date { date.addingTimeInterval(-duration.seconds) }

  private func span(
    of call: Graph.ObservedCall, in trace: Graph.TraceContext, _ name: String,
    id: Graph.TraceContext.SpanID = .random(), kind: Span.Kind = .inside
  ) -> Span {
    Span(
      trace: trace, id: id, parent: trace.spanID, name: name, kind: kind, start: start, end: date)
  }
}

extension Graph.ObservedCall {
  /// By the names of OpenTelemetry's semantic conventions.
  fileprivate var attributes: [(String, JSON)] {
    var attributes: [(String, JSON)] = [
      ("graphql.operation.type", .string(kind.rawValue)), ("url.full", .string(endpoint)),
    ]
    if let operationName { attributes.append(("graphql.operation.name", .string(operationName))) }
    return attributes
  }
}
