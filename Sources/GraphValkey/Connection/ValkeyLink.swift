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

  private enum Phase {
    case closed
    case connecting
    case preparing(step: Int, values: [ValkeyValue], missing: Int)
    case ready
  }

  private struct State {
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
    var isWanted = false
    var isStopped = false
  }

  private let state = Locked(State())
  private let library: HiredisLibrary
  private let configuration: Graph.ValkeyConfiguration
  private let route: ValkeyRoute
  private let handshake: ValkeyHandshake
  private let onEvent: (@Sendable (Event) -> Void)?
  let breaker: ValkeyBreaker
  private let connectTimeout: Int64
  /// For how long a connection may receive nothing while commands are in progress.
  private let stallLimit: Int64

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
    stallLimit = max(50_000_000, configuration.timeout.nanoseconds * 5)
  }

  var isReady: Bool { state.withLock { if case .ready = $0.phase { true } else { false } } }
  var pendingCount: Int { state.withLock { $0.pending.count } }

  /// Opens the connection when that is possible, and keeps it open.
  func want() { state.withLock { $0.isWanted = true } }

  enum Acceptance {
    /// - Parameter time: when the loop must be awake at the latest.
    case sent(before: Int64)
    /// The task must call ``waitForValues(of:)``, after it has let others send their commands or at once.
    ///
    /// - Parameter end: when the loop reads instead, so when it must be awake if the task does not read at once.
    case isReader(letsOthersSend: Bool, end: Int64)
    /// The loop must write the rest, or connect.
    case needsLoop
    case notReady
    case full
  }

  /// Sends the commands of the call.
  ///
  /// - Parameters:
  ///   - waits: whether the call waits for the connection if it is not ready.
  ///   - mayRead: whether the caller can read the values itself.
  func send(_ call: ValkeyCall, waits: Bool, mayRead: Bool) -> Acceptance {
    let now = ValkeyClock.now
    return state.withLock { state in
      guard !state.isStopped else { return .notReady }
      guard case .ready = state.phase, let stream = state.stream else {
        guard waits, state.waiting.count < configuration.maximumPending else { return .notReady }
        state.isWanted = true
        state.waiting.append(call)
        state.nextDeadline = min(state.nextDeadline, call.deadline)
        return .needsLoop
      }
      guard state.pending.count < configuration.maximumPending else { return .full }
      guard stream.append(call.commands.bytes) else { return .full }
      let isAlone = state.pending.count == 0
      state.pending.append(call, at: now)
      state.nextDeadline = min(state.nextDeadline, call.deadline)
      guard !state.waitsToWrite else { return .needsLoop }
      // A failure is found again by the loop, which closes the connection.
      guard stream.write() == CHIREDIS_DONE else {
        state.waitsToWrite = true
        return .needsLoop
      }
      // The thread that reads the values of an earlier call reads those of this one as well.
      guard isAlone else {
        state.isJoined = true
        return .sent(before: now < state.readerEnd ? state.readerEnd : call.deadline)
      }
      guard mayRead, now >= state.readerEnd, state.policy.mayWait(at: now) else {
        return state.loopReads ? .sent(before: call.deadline) : .needsLoop
      }
      (state.readerEnd, state.isJoined) = (now + ReadingPolicy.handover, false)
      return .isReader(letsOthersSend: state.policy.letsOthersSend, end: state.readerEnd)
    }
  }

  /// Waits a moment for the values of a call that was sent alone, on the thread of its task. With a server nearby, the
  /// two changes of threads that this saves take longer than the server.
  ///
  /// - Returns: whether the loop must wait instead, and what follows for other connections.
  func waitForValues(of call: ValkeyCall) -> (needsLoop: Bool, consequences: [Consequence]) {
    var consequences: [Consequence] = []
    var now = ValkeyClock.now
    let end = now + ReadingPolicy.limit
    var isQuick = call.hasEnded
    while !isQuick, now < end, let descriptor = state.withLock({ $0.stream?.descriptor }),
      chiredis_wait_briefly(descriptor, Int((end - now + 999) / 1000))
    {
      now = ValkeyClock.now
      let consequence = serve(at: now)
      if consequence != .none { consequences.append(consequence) }
      isQuick = call.hasEnded
    }
    isQuick = call.hasEnded
    let needsLoop = state.withLock { state in
      state.readerEnd = 0
      state.policy.end(isQuick: isQuick, isAlone: !state.isJoined, at: now)
      // It also opens the connection again.
      if case .ready = state.phase { return state.pending.count > 0 }
      return true
    }
    return (needsLoop || !consequences.isEmpty, consequences)
  }

  /// Sends commands on a connection that subscribes; their values are events. The loop must be woken afterwards.
  ///
  /// - Returns: false if there is no connection.
  func post(_ commands: ValkeyCommands) -> Bool {
    state.withLock { state in
      guard case .ready = state.phase, let stream = state.stream, stream.append(commands.bytes)
      else { return false }
      if !state.waitsToWrite { state.waitsToWrite = stream.write() != CHIREDIS_DONE }
      return true
    }
  }

  // MARK: The loop

  /// The event for which the loop waits.
  struct Interest {
    var descriptor: Int32?
    var waitsToRead = true
    var waitsToWrite = false
    /// When ``prepare(at:)`` must be called again.
    var time = Int64.max
  }

  /// Ends late calls, opens the connection if it is time, and closes it if it does not work.
  func prepare(at now: Int64, wake: @escaping @Sendable () -> Void) -> Interest {
    endLateCalls(at: now)
    closeIfStalled(at: now)
    connectIfPossible(at: now, wake)
    let (interest, isClosed) = state.withLock { state -> (Interest, Bool) in
      var interest = Interest(
        descriptor: state.stream?.descriptor, waitsToWrite: state.waitsToWrite,
        time: state.nextDeadline)
      var isClosed = false
      switch state.phase {
      case .closed: isClosed = state.isWanted && !state.isStopped
      case .connecting, .preparing: interest.time = min(interest.time, state.since + connectTimeout)
      case .ready:
        // The task of a call reads, or wakes the loop.
        interest.waitsToRead =
          onEvent != nil
          || now >= state.readerEnd
            && (state.pending.count > 0 || !state.policy.mayWait(at: now))
        if now < state.readerEnd { interest.time = min(interest.time, state.readerEnd) }
        if let oldest = state.pending.oldest {
          interest.time = min(interest.time, max(oldest.sentAt, state.lastReceived) + stallLimit)
        }
      }
      state.loopReads = interest.waitsToRead
      return (interest, isClosed)
    }
    guard isClosed else { return interest }
    var closed = interest
    closed.time = min(closed.time, breaker.retryTime)
    return closed
  }

  /// The change of the other connections that follows from a read of this one.
  enum Consequence: Sendable, Equatable {
    case none
    /// The connection is ready. All others must be to the same server: the changes that one server reports are not
    /// those of another, from which responses are read.
    case allOn(Graph.ValkeyConfiguration.Address)
    /// This server is no longer the master, so no connection to it may be used.
    case noneOn(Graph.ValkeyConfiguration.Address)
  }

  /// Reads and writes, when the descriptor is ready.
  func serve(at now: Int64) -> Consequence {
    var ended: [(ValkeyCall, [ValkeyValue])] = []
    var messages: [ValkeyValue] = []
    var failure: Graph.ValkeyError?
    var becomesReady = false
    var isMaster = true
    let (server, attempt) = state.withLock {
      state -> (Graph.ValkeyConfiguration.Address?, Int) in
      guard let stream = state.stream else { return (nil, state.attempt) }
      do throws(Graph.ValkeyError) {
        if state.waitsToWrite {
          let status = stream.write()
          guard status != CHIREDIS_FAILED else { throw .lost }
          state.waitsToWrite = status == CHIREDIS_LATER
        }
        // Values that arrived before the connection was closed are used.
        let status = stream.read()
        while let value = try stream.next() {
          state.lastReceived = now
          switch state.phase {
          case .ready:
            if onEvent != nil {
              messages.append(value)
            } else if let (call, values) = state.pending.receive(value) {
              if configuration.requiresMaster, value.isRefusalOfMaster { isMaster = false }
              if let values { ended.append((call, values)) }
            } else {
              throw Graph.ValkeyError(.invalidResponse, message: "a value without a command")
            }
          case .preparing(let step, var values, let missing):
            values.append(value)
            if missing > 1 {
              state.phase = .preparing(step: step, values: values, missing: missing - 1)
            } else if try !sendStep(step + 1, values, stream, &state) {
              becomesReady = true
            }
          case .closed, .connecting: break
          }
        }
        guard status != CHIREDIS_FAILED else { throw .lost }
      } catch {
        failure = error
      }
      return (state.server, state.attempt)
    }
    for (call, values) in ended {
      // A late command has been counted.
      if call.end(.success(values)) { _ = breaker.commandEnded(inTime: true) }
    }
    if becomesReady {
      breaker.connected()
      onEvent?(.ready)
      sendWaiting(at: now)
    }
    for message in messages { onEvent?(.message(message)) }
    if let failure { close(failure, isSuspect: false, at: now, attempt) }
    guard configuration.requiresMaster, let server else { return .none }
    guard isMaster else { return .noneOn(server) }
    return becomesReady ? .allOn(server) : .none
  }

  /// Closes a connection that is ready if it must not be used any more, and finds the server again.
  func follow(_ consequence: Consequence, at now: Int64) {
    let attempt = state.withLock { state -> Int? in
      guard case .ready = state.phase else { return nil }
      switch consequence {
      case .none: return nil
      case .allOn(let server): return state.server == server ? nil : state.attempt
      case .noneOn(let server): return state.server == server ? state.attempt : nil
      }
    }
    guard let attempt else { return }
    if case .allOn = consequence {
      close(.hasMoved, isSuspect: false, at: now, attempt)
    } else {
      close(.isNotMaster, isSuspect: true, at: now, attempt)
    }
  }

  /// Sends the commands of a step of the handshake.
  ///
  /// - Returns: false if there is no such step, so that the connection is ready.
  private func sendStep(
    _ step: Int, _ values: [ValkeyValue], _ stream: ValkeyStream, _ state: inout State
  ) throws(Graph.ValkeyError) -> Bool {
    guard let commands = try handshake.next(step, values) else {
      state.phase = .ready
      state.since = ValkeyClock.now
      return false
    }
    guard stream.append(commands.bytes) else { throw .lost }
    state.phase = .preparing(step: step, values: [], missing: commands.count)
    let status = stream.write()
    guard status != CHIREDIS_FAILED else { throw .lost }
    state.waitsToWrite = status == CHIREDIS_LATER
    return true
  }

  private func sendWaiting(at now: Int64) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for call in waiting where !call.hasEnded {
      switch send(call, waits: false, mayRead: false) {
      case .sent, .isReader, .needsLoop: break
      case .notReady, .full: call.end(.failure(.noConnection))
      }
    }
  }

  private func endLateCalls(at now: Int64) {
    let late = state.withLock { state -> [ValkeyCall] in
      guard now >= state.nextDeadline else { return [] }
      let calls = state.pending.waiting + state.waiting.filter { !$0.hasEnded }
      state.waiting.removeAll { $0.hasEnded || $0.deadline <= now }
      state.nextDeadline = calls.lazy.map(\.deadline).filter { $0 > now }.min() ?? .max
      return calls.filter { $0.deadline <= now }
    }
    var isTooSlow = false
    for call in late where call.end(.failure(.timeIsOver)) {
      if breaker.commandEnded(inTime: false) { isTooSlow = true }
    }
    if isTooSlow { close(.lost, isSuspect: true, at: now) }
  }

  private func closeIfStalled(at now: Int64) {
    let isStalled = state.withLock { state in
      switch state.phase {
      case .closed: false
      case .connecting, .preparing: now - state.since > connectTimeout
      case .ready:
        state.pending.oldest.map { now - max($0.sentAt, state.lastReceived) > stallLimit } ?? false
      }
    }
    if isStalled { close(.lost, isSuspect: true, at: now) }
  }

  /// Closes the connection. Calls without their values fail.
  ///
  /// - Parameters:
  ///   - isSuspect: see ``ValkeyBreaker/lost(at:isSuspect:)``.
  ///   - attempt: the connection that must be closed; another one may have taken its place. nil for any.
  func close(
    _ error: Graph.ValkeyError, isSuspect: Bool, at now: Int64, _ attempt: Int? = nil
  ) {
    let closed = state.withLock { state -> (calls: [ValkeyCall], phase: Phase, age: Int64)? in
      if let attempt, attempt != state.attempt { return nil }
      let calls = state.pending.waiting + state.waiting
      let (previous, age) = (state.phase, now - state.since)
      state.phase = .closed
      state.readerEnd = 0
      state.stream = nil
      state.attempt += 1
      state.pending = PendingCalls()
      state.waiting = []
      state.waitsToWrite = false
      state.nextDeadline = .max
      state.since = now
      return (calls, previous, age)
    }
    guard let (calls, previous, age) = closed else { return }
    switch previous {
    case .closed: break
    case .connecting, .preparing: breaker.connectingFailed(error, at: now)
    case .ready:
      // A server that accepts connections and closes them at once does not work.
      breaker.lost(at: now, isSuspect: isSuspect || age < 1_000_000_000)
      onEvent?(.lost)
    }
    for call in calls { call.end(.failure(error)) }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    close(.noConnection, isSuspect: false, at: ValkeyClock.now)
  }

  // MARK: Connecting

  private func connectIfPossible(at now: Int64, _ wake: @escaping @Sendable () -> Void) {
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
