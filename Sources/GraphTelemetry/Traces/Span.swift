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
