import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph.ObservedEvent {
  /// Whether a log of calls has the event.
  var isOfCalls: Bool {
    switch step {
    case .ended, .retry, .stored(.failed): true
    case .connectionEnded(_, let error): error != nil
    case .queuedOperation(_, _, let state): ["rejected", "uncertain"].contains(state)
    default: false
    }
  }

  /// The event as a line of JSON.
  var line: [UInt8] {
    var members: JSON.Object = [:]
    members["time"] = .string(date.rfc3339)
    members["event"] = .string(step.name)
    if let call {
      members["call"] = .number(JSON.Number(call.id))
      if let name = call.operationName { members["operation"] = .string(name) }
      members["kind"] = .string(call.kind.rawValue)
      members["endpoint"] = .string(call.endpoint)
      if let trace = call.trace { members["trace_id"] = .string(trace.traceID.description) }
      if let span = call.trace?.spanID { members["span_id"] = .string(span.description) }
    }
    if step.hasDuration { members["duration_ms"] = .milliseconds(duration) }
    for (name, value) in step.members { members[name] = value }
    var writer = JSONWriter()
    writer.value(.object(members))
    return writer.finish() + [UInt8(ascii: "\n")]
  }
}

extension Graph.ObservedStep {
  fileprivate var hasDuration: Bool {
    switch self {
    case .began, .retry, .delivered, .connectionOpened, .queuedOperation: false
    default: true
    }
  }

  /// The values of the step.
  fileprivate var members: [(String, JSON)] {
    switch self {
    case .began, .joinedEqualQuery: return []
    case .cacheRead(let read):
      if case .hit(let age?) = read {
        return [("result", .string(read.name)), ("age_ms", .milliseconds(age))]
      }
      return [("result", .string(read.name))]
    case .waitedForProcesses(let lease): return [("result", .string(lease.rawValue))]
    case .waited(let wait): return [("reason", .string(wait.name))]
    case .attempt(let attempt):
      return [("attempt", .number(JSON.Number(attempt.number)))]
        + (attempt.status.map { [("status", .number(JSON.Number($0)))] } ?? [])
        + (attempt.error.map { [("error", .string($0.kind))] } ?? [])
        + (attempt.errorCount > 0 ? [("errors", .number(JSON.Number(attempt.errorCount)))] : [])
        + (attempt.span.map { [("span_id", .string($0.description))] } ?? [])
    case .exchange(let exchange):
      return (exchange.status.map { [("status", .number(JSON.Number($0)))] } ?? [])
        + (exchange.sentBytes.map { [("sent_bytes", .number(JSON.Number($0)))] } ?? [])
        + [
          ("received_bytes", .number(JSON.Number(exchange.receivedBytes))),
          ("operations", .number(JSON.Number(exchange.operationCount))),
        ]
    case .retry(let reason, let delay):
      return [("reason", .string(reason.name)), ("delay_ms", .milliseconds(delay))]
    case .responseRead(let byteCount): return [("bytes", .number(JSON.Number(byteCount)))]
    case .stored(let storing): return [("result", .string(storing.name))]
    case .delivered(let response):
      return [
        ("cached", .bool(response.isCached)),
        ("errors", .number(JSON.Number(response.errorCount))),
      ]
    case .ended(let end):
      return [("result", .string(end.name))]
        + (end.error.map { [("error", .string($0.kind))] } ?? [])
        + (end.error?.response?.status.map { [("status", .number(JSON.Number($0)))] } ?? [])
    case .connectionOpened(let connection): return [("connection", .string(connection.name))]
    case .connectionEnded(let connection, let error):
      return [("connection", .string(connection.name))]
        + (error.map { [("error", .string($0.kind))] } ?? [])
    case .queuedOperation(let id, let former, let state):
      return [("id", .string(id))] + (former.map { [("from", .string($0))] } ?? [])
        + [("to", .string(state))]
    }
  }
}

extension JSON {
  /// Milliseconds with three decimal places.
  fileprivate static func milliseconds(_ duration: Duration) -> JSON {
    let microseconds = (duration.seconds * 1e6).rounded()
    return JSON.Number(text: "\(microseconds / 1000)").map(JSON.number) ?? .null
  }
}

extension Date {
  /// In UTC, with milliseconds.
  // Safe: the function fills a local variable of the type that it expects.
  fileprivate var rfc3339: String {
    // From 1970 to 9999.
    let passed = (timeIntervalSince1970 * 1000).rounded(.down)
    let milliseconds = passed > 0 ? Int64(min(passed, 253_402_300_799_999)) : 0
    var seconds = time_t(milliseconds / 1000)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let day = unsafe "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
    let time = unsafe "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
    return "\(day)T\(time).\(digits(Int32(milliseconds % 1000), count: 3))Z"
  }

  private func digits(_ number: Int32, count: Int = 2) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }
}
