import GraphQLRuntime

@testable import GraphClient

/// Keeps every event.
final class RecordingObserver: Graph.Observer {
  private let seen = Locked<[Graph.ObservedEvent]>([])
  private let context: Graph.TraceContext?

  /// - Parameter context: the trace of calls without one.
  init(context: Graph.TraceContext? = nil) { self.context = context }

  var events: [Graph.ObservedEvent] { seen.withLock { $0 } }

  /// The steps in short, those of one call after the other.
  var steps: [String] {
    events.sorted { ($0.call?.id ?? 0) < ($1.call?.id ?? 0) }.map(\.step.summary)
  }

  /// The steps since the last call of this function.
  func takeSteps() -> [String] {
    defer { seen.withLock { $0 = [] } }
    return steps
  }

  func observe(_ event: Graph.ObservedEvent) { seen.withLock { $0.append(event) } }

  func traceContext() -> Graph.TraceContext? { context }
}

extension Graph.ObservedStep {
  var summary: String {
    switch self {
    case .began: "began"
    case .cacheRead(let read): "cacheRead \(read.summary)"
    case .joinedEqualQuery: "joined"
    case .waitedForProcesses(let lease): "lease \(lease)"
    case .waited(let wait): "waited \(wait)"
    case .attempt(let attempt):
      "attempt \(attempt.number) \(attempt.status ?? 0) \(attempt.error?.code.description ?? "-")"
        + (attempt.errorCount > 0 ? " \(attempt.errorCount) errors" : "")
    case .exchange(let exchange):
      "exchange \(exchange.status ?? 0)"
        + (exchange.operationCount > 1 ? " of \(exchange.operationCount)" : "")
    case .retry(let reason, let delay): "retry \(reason) after \(delay)"
    case .responseRead(let byteCount): "read \(byteCount)"
    case .stored(let storing): "stored \(storing.summary)"
    case .delivered(let response):
      "delivered \(response.isCached ? "cached" : "new")"
        + (response.errorCount > 0 ? " \(response.errorCount) errors" : "")
    case .ended(.completed): "ended"
    case .ended(.failed(let error)): "ended \(error.code)"
    case .ended(.released): "released"
    case .connectionOpened(let connection): "opened \(connection)"
    case .connectionEnded(let connection, let error):
      "closed \(connection) \(error?.code.description ?? "-")"
    case .queuedOperation(_, let former, let state): "queued \(former ?? "-") \(state)"
    }
  }
}

extension Graph.ObservedCacheRead {
  fileprivate var summary: String {
    if case .hit(let age) = self { "hit \(age.map { "\($0)" } ?? "-")" } else { "\(self)" }
  }
}

extension Graph.ObservedStoring {
  fileprivate var summary: String {
    if case .failed = self { "failed" } else { "\(self)" }
  }
}
