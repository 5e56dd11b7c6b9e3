import GraphClient
import GraphQLRuntime

/// The names of steps and reasons, as they are written to logs, metrics and traces.
extension Graph.ObservedStep {
  var name: String {
    switch self {
    case .began: "began"
    case .cacheRead: "cache_read"
    case .joinedEqualQuery: "joined_equal_query"
    case .waitedForProcesses: "waited_for_processes"
    case .waited: "waited"
    case .attempt: "attempt"
    case .exchange: "exchange"
    case .retry: "retry"
    case .responseRead: "response_read"
    case .stored: "stored"
    case .delivered: "delivered"
    case .ended: "ended"
    case .connectionOpened: "connection_opened"
    case .connectionEnded: "connection_ended"
    case .queuedOperation: "queued_operation"
    }
  }
}

extension Graph.ObservedCacheRead {
  var name: String {
    switch self {
    case .hit: "hit"
    case .notStored: "not_stored"
    case .tooOld: "too_old"
    case .unreadable: "unreadable"
    case .failed: "failed"
    }
  }
}

extension Graph.ObservedWait {
  var name: String {
    switch self {
    case .serverPause: "server_pause"
    case .rateLimit: "rate_limit"
    }
  }
}

extension Graph.ObservedRetry {
  var name: String {
    switch self {
    case .connection: "connection"
    case .status(let status): "status_\(status)"
    case .throttled: "throttled"
    }
  }
}

extension Graph.ObservedStoring {
  var name: String {
    switch self {
    case .cached: "cached"
    case .stored: "stored"
    case .notCacheable: "not_cacheable"
    case .failed: "failed"
    }
  }
}

extension Graph.ObservedEnd {
  var name: String {
    switch self {
    case .completed: "completed"
    case .failed(let error): error.isCancelled ? "cancelled" : "failed"
    case .released: "released"
    }
  }

  /// nil if the call has no error, or was cancelled.
  var error: Graph.QueryError? {
    if case .failed(let error) = self, !error.isCancelled { error } else { nil }
  }
}

extension Graph.ObservedConnection {
  var name: String {
    switch self {
    case .webSocket: "web_socket"
    case .http: "http"
    }
  }
}

extension Graph.QueryError {
  /// The code of the error, or that of the transport below it. Neither has values of the response.
  var kind: String { transportError?.code.description ?? code.description }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
