import GraphClient
import GraphQLRuntime
import Logging

/// Writes the end of each call to swift-log.
struct LoggingObserver: Graph.Observer {
  let logger: Logger

  func observe(_ event: Graph.ObservedEvent) {
    guard case .ended(let end) = event.step, let call = event.call else { return }
    var metadata: Logger.Metadata = [
      "operation": "\(call.operationName ?? "anonymous")", "duration": "\(event.duration)",
    ]
    if let trace = call.trace { metadata["trace_id"] = "\(trace.traceID)" }
    if case .failed(let error) = end {
      metadata["error"] = "\(error.code)"
      logger.warning("A call failed.", metadata: metadata)
    } else {
      logger.info("A call ended.", metadata: metadata)
    }
  }
}
