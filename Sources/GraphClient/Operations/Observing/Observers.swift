import Foundation
import GraphQLRuntime

extension Graph {
  /// The observers of a client.
  package struct Observers: Sendable {
    private let observers: [any Observer]
    let time: any TimeSource
    /// Without its query, which may have secrets.
    let endpoint: String

    /// nil if there are no observers, so that nothing is measured for them.
    init?(_ observers: [any Observer], endpoint: URL, time: any TimeSource) {
      guard !observers.isEmpty else { return nil }
      self.observers = observers
      self.time = time
      self.endpoint = endpoint.origin + endpoint.path
    }

    /// - Parameter start: the uptime at which the step began; nil for a step without duration.
    package func emit(
      _ step: ObservedStep, of call: ObservedCall? = nil, since start: Duration? = nil
    ) {
      let now = time.now
      let event = ObservedEvent(
        call: call, step: step, date: Date(timeIntervalSince1970: now.wall.inSeconds),
        duration: start.map { now.uptime - $0 } ?? .zero)
      for observer in observers { observer.observe(event) }
    }

    /// The trace in which a call begins.
    var traceContext: TraceContext? {
      if let current = TraceContext.current { return current }
      for observer in observers {
        if let context = observer.traceContext() { return context }
      }
      return nil
    }
  }

  /// One call of a client with observers. It has ended when nothing refers to it, at the latest.
  final class CallObservation: Sendable {
    private struct State {
      var hasEnded = false
      /// When the connection over HTTP was opened; nil if there is none.
      var opening: Duration?
    }

    private static let count = Locked<UInt64>(0)

    private let observers: Observers
    private let call: ObservedCall
    private let start: Duration
    private let state = Locked(State())

    init(_ observers: Observers, name: String?, kind: GraphQL.OperationType) {
      let id = Self.count.withLock { count in
        count += 1
        return count
      }
      let context = observers.traceContext
      call = ObservedCall(
        id: id, operationName: name, kind: kind, endpoint: observers.endpoint,
        trace: context?.with(.random()), parentSpan: context?.spanID)
      self.observers = observers
      start = observers.time.now.uptime
      observers.emit(.began, of: call)
    }

    deinit { end(.released) }

    var uptime: Duration { observers.time.now.uptime }

    /// The context of a new attempt.
    func attemptContext() -> TraceContext? { call.trace?.with(.random()) }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Work that the call has abandoned may continue, and its steps are no longer those of the call.
    ///
    /// - Parameter start: the ``uptime`` at which the step began; nil for a step without duration.
    func emit(_ step: ObservedStep, since start: Duration? = nil) {
      if !hasEnded { observers.emit(step, of: call, since: start) }
    }

    /// A subscription has a connection over HTTP.
    func openConnection() {
      let uptime = uptime
      let opens = state.withLock { state in
        if !state.hasEnded { state.opening = uptime }
        return !state.hasEnded
      }
      if opens { emit(.connectionOpened(.http)) }
    }

    /// The connection of a subscription has ended, if there is one.
    ///
    /// - Parameter error: nil if it was not needed any longer.
    func closeConnection(_ error: QueryError?) {
      let opening = state.withLock { $0.opening.take() }
      if let opening { emit(.connectionEnded(.http, error), since: opening) }
    }

    func end(_ end: ObservedEnd) {
      // A caller that stops reading leaves the connection open.
      closeConnection(nil)
      let isFirst = state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
      if isFirst { observers.emit(.ended(end), of: call, since: start) }
    }
  }
}
