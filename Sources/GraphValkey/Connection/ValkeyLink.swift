import CHiredis
import Foundation
import GraphClient
import GraphQLRuntime

/// One connection, which is opened again when it is lost. Commands are written by the task that sends them, if the
/// socket accepts them; ``ValkeyLoop`` reads.
final class ValkeyLink: Sendable {
  enum Event: Sendable {
    case ready
    case lost
    /// A value outside of a call, on a connection that subscribes.
    case message(ValkeyValue)
  }

  enum Phase {
    case closed
    case connecting
    case preparing(step: Int, values: [ValkeyValue], missing: Int)
    case ready
  }

  struct State {
    var phase = Phase.closed
    /// Changes with each attempt, so that the outcome of an older one is not used.
    var attempt = 0
    var stream: ValkeyStream?
    /// The server to which the stream is connected.
    var server: Graph.ValkeyConfiguration.Address?
    var pending = PendingCalls()
    /// Calls for which there is no connection yet.
    var waiting: [ValkeyCall] = []
    var waitsToWrite = false
    /// Until when the task of a call reads, see ``ValkeyLink/waitForValues(of:)``; 0 if none does.
    var readerEnd: Int64 = 0
    /// Whether another call was sent while a task reads.
    var isJoined = false
    /// Whether the loop reads what arrives, without being woken.
    var loopReads = true
    var policy = ReadingPolicy()
    /// When the phase began.
    var since: Int64 = 0
    var lastReceived: Int64 = 0
    /// The first deadline of a call, or an earlier time.
    var nextDeadline = Int64.max
    /// The connection that the loop must close, see ``ValkeyLink/closeOnLoop(isSuspect:)``.
    var unwanted: (attempt: Int, isSuspect: Bool)?
    var isWanted = false
    var isStopped = false

    /// Reads an idle connection before commands are sent on it. A value that the server has sent without a command would
    /// be taken for that of the next one.
    ///
    /// - Returns: why the connection cannot be used, with its attempt.
    func defectOfIdle(at now: Int64) -> (error: Graph.ValkeyError, attempt: Int)? {
      // After a shorter time than this, reading would take more time than it is worth.
      guard case .ready = phase, pending.count == 0,
        now - lastReceived > ReadingPolicy.handover, let (status, count) = stream?.read()
      else { return nil }
      if count > 0 { return (.valueWithoutCommand, attempt) }
      return status == CHIREDIS_FAILED ? (.lost, attempt) : nil
    }
  }

  let state = Locked(State())
  let library: HiredisLibrary
  let configuration: Graph.ValkeyConfiguration
  let route: ValkeyRoute
  let handshake: ValkeyHandshake
  let onEvent: (@Sendable (Event) -> Void)?
  let breaker: ValkeyBreaker
  let connectTimeout: Int64
  /// For how long a connection may receive nothing while commands are in progress.
  let stallLimit: Int64

  /// - Parameter onEvent: for a connection that subscribes, on the thread of the loop; it must not send anything
  ///   except by ``post(_:)``.
  init(
    _ library: HiredisLibrary, _ configuration: Graph.ValkeyConfiguration, _ breaker: ValkeyBreaker,
    _ route: ValkeyRoute, _ handshake: ValkeyHandshake, onEvent: (@Sendable (Event) -> Void)? = nil
  ) {
    self.library = library
    self.configuration = configuration
    self.breaker = breaker
    self.route = route
    self.handshake = handshake
    self.onEvent = onEvent
    connectTimeout = configuration.connectTimeout.nanoseconds
    // The product must not overflow.
    stallLimit = max(50_000_000, min(configuration.timeout.nanoseconds, .max / 20) * 5)
  }

  var isReady: Bool { state.withLock { if case .ready = $0.phase { true } else { false } } }
  /// The server of the open connection.
  var server: Graph.ValkeyConfiguration.Address? { state.withLock { $0.server } }
  var pendingCount: Int { state.withLock { $0.pending.count } }

  /// Opens the connection when that is possible, and keeps it open.
  func want() { state.withLock { $0.isWanted = true } }

  /// Closes the connection. Calls without their values fail.
  ///
  /// - Parameters:
  ///   - isSuspect: see ``ValkeyBreaker/lost(at:isSuspect:)``.
  ///   - attempt: the connection that must be closed; another one may have taken its place. nil for any.
  func close(
    _ error: Graph.ValkeyError, isSuspect: Bool, at now: Int64, _ attempt: Int? = nil
  ) {
    typealias Closed = (pending: [ValkeyCall], waiting: [ValkeyCall], phase: Phase, age: Int64)
    let closed = state.withLock { state -> Closed? in
      if let attempt, attempt != state.attempt { return nil }
      let closed = (state.pending.waiting, state.waiting, state.phase, now - state.since)
      state.phase = .closed
      state.readerEnd = 0
      state.stream = nil
      state.server = nil
      state.attempt += 1
      state.pending = PendingCalls()
      state.waiting = []
      state.waitsToWrite = false
      state.nextDeadline = .max
      state.since = now
      return closed
    }
    guard let closed else { return }
    switch closed.phase {
    case .closed: break
    case .connecting, .preparing: breaker.connectingFailed(error, at: now)
    case .ready:
      // A server that accepts connections and closes them at once does not work.
      breaker.lost(at: now, isSuspect: isSuspect || closed.age < 1_000_000_000)
      onEvent?(.lost)
    }
    for call in closed.pending { call.end(.failure(error)) }
    // Their commands were not sent.
    for call in closed.waiting { call.end(.failure(.noConnection(after: error))) }
  }

  /// Lets the loop, which must be woken, close the connection if it is ready: events are for the thread of the loop only.
  func closeOnLoop(isSuspect: Bool) {
    state.withLock { state in
      if case .ready = state.phase { state.unwanted = (state.attempt, isSuspect) }
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    close(.noConnection, isSuspect: false, at: ValkeyClock.now)
  }
}

extension ValkeyLink {
  func connectIfPossible(at now: Int64, _ wake: @escaping @Sendable () -> Void) {
    let wants = state.withLock { state in
      if case .closed = state.phase { state.isWanted && !state.isStopped } else { false }
    }
    guard wants, breaker.mayConnect(at: now) else { return }
    let attempt = state.withLock { state in
      state.phase = .connecting
      state.since = now
      state.attempt += 1
      return state.attempt
    }
    // Finding the server and resolving its name block, so each attempt has a thread of its own. Attempts are rare.
    let failures = breaker.failures
    let thread = Thread { [self] in
      finishConnecting(attempt, after: failures)
      wake()
    }
    thread.name = "GraphValkey.connect"
    thread.start()
  }

  private func finishConnecting(_ attempt: Int, after failures: Int) {
    do throws(Graph.ValkeyError) {
      let server = try route.server(after: failures)
      try use(server.connect(within: configuration.connectTimeout), to: server, attempt)
    } catch {
      close(error, isSuspect: true, at: ValkeyClock.now, attempt)
    }
  }

  /// Begins the handshake, unless the attempt has ended.
  private func use(
    _ descriptor: Int32, to server: Graph.ValkeyConfiguration.Address, _ attempt: Int
  ) throws(Graph.ValkeyError) {
    let stream =
      descriptor < 0
      ? nil
      : ValkeyStream(
        library, descriptor, configuration.tls, within: configuration.connectTimeout)
    let result = state.withLock { state -> Result<Void, Graph.ValkeyError> in
      guard state.attempt == attempt, case .connecting = state.phase else { return .success(()) }
      guard let stream else { return .failure(.noConnection) }
      state.stream = stream
      state.server = server
      return Result { () throws(Graph.ValkeyError) in _ = try sendStep(0, [], stream, &state) }
    }
    try result.get()
  }
}
