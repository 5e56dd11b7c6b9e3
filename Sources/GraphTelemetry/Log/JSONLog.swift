import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Writes events as lines of JSON.
  ///
  /// ```swift
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.observers = [Graph.JSONLog()]
  /// ```
  ///
  /// Each line is an object with `time` (RFC 3339, UTC), `event` and, for steps of a call, `call`, `operation`, `kind`,
  /// `endpoint`, `trace_id` and `span_id`; `duration_ms` is in milliseconds. Lines have neither variables nor values
  /// of responses: of an error, they have its code and its status.
  ///
  /// Lines are written by a queue of the log, so that a slow file does not delay calls. If it is too slow for the
  /// events, lines are dropped, and a line with the event `dropped` has their number.
  public final class JSONLog: Observer {
    /// The events that a log has.
    public enum Detail: Sendable, Hashable {
      /// The ends of calls, retries, failed attempts to store, lost connections, and operations of an outbox that
      /// are rejected or uncertain.
      case calls
      /// All events.
      case steps
    }

    /// The lines that may wait to be written.
    private static let maximumCount = 10_000

    private struct State {
      var waiting: [ObservedEvent] = []
      var droppedCount = 0
      var isWriting = false
    }

    private let detail: Detail
    private let write: @Sendable ([UInt8]) -> Void
    private let queue = DispatchQueue(label: "treeswift.log", qos: .utility)
    private let state = Locked(State())

    /// A log.
    ///
    /// - Parameter write: gets one or several lines, each with its line feed, from one thread at a time.
    public init(_ detail: Detail = .calls, write: @escaping @Sendable ([UInt8]) -> Void) {
      self.detail = detail
      self.write = write
    }

    /// A log in a file that is open for writing, standard error by default. An error of the file is ignored, also that
    /// of a pipe without a reader.
    public convenience init(_ detail: Detail = .calls, to file: FileHandle = .standardError) {
      self.init(detail) { try? file.writeWithoutSignal($0) }
    }

    public func observe(_ event: ObservedEvent) {
      guard detail == .steps || event.isOfCalls else { return }
      let begins = state.withLock { state in
        guard state.waiting.count < Self.maximumCount else {
          state.droppedCount += 1
          return false
        }
        state.waiting.append(event)
        defer { state.isWriting = true }
        return !state.isWriting
      }
      if begins { queue.async { self.writeWaiting() } }
    }

    /// Returns when all events so far are written.
    public func flush() async {
      await withCheckedContinuation { continuation in
        queue.async {
          self.writeWaiting()
          continuation.resume()
        }
      }
    }

    private func writeWaiting() {
      while true {
        let (events, droppedCount) = state.withLock { state in
          defer {
            state.waiting = []
            state.droppedCount = 0
          }
          state.isWriting = !state.waiting.isEmpty
          return (state.waiting, state.droppedCount)
        }
        guard !events.isEmpty else { return }
        var lines: [UInt8] = []
        for event in events { lines += event.line }
        if droppedCount > 0 {
          lines += Array("{\"event\":\"dropped\",\"count\":\(droppedCount)}\n".utf8)
        }
        write(lines)
      }
    }
  }
}

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

extension FileHandle {
  /// Writes without the signal of a pipe without a reader, which would end the process.
  func writeWithoutSignal(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
      // The signal goes to any thread of the process, so it cannot be taken here.
      _ = fcntl(fileDescriptor, F_SETNOSIGPIPE, 1)
      try write(contentsOf: Data(bytes))
    #else
      try withoutPipeSignal { try write(contentsOf: Data(bytes)) }
    #endif
  }
}

#if !canImport(Darwin)
  /// Blocks the signal for this thread, and takes it before it is delivered.
  // Safe: each function fills local variables of the types that it expects.
  private func withoutPipeSignal(_ write: () throws -> Void) rethrows {
    var pipe = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    let wasPending = isPipeSignalPending
    guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &previous) == 0 else { return try write() }
    defer {
      if !wasPending, isPipeSignalPending {
        var taken: Int32 = 0
        unsafe sigwait(&pipe, &taken)
      }
      unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
    try write()
  }

  // Safe: both functions use a local variable.
  private var isPipeSignalPending: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGPIPE) == 1
  }
#endif
