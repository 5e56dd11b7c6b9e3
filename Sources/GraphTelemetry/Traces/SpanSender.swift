import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

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
