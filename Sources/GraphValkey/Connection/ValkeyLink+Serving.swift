import CHiredis
import GraphClient
import GraphQLRuntime

extension ValkeyLink {
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
    closeIfUnusable(at: now)
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
        let (status, count) = stream.read()
        // A part of a large value is a sign of life as well.
        if count > 0 { state.lastReceived = now }
        while let value = try stream.next() {
          switch state.phase {
          case .ready:
            if onEvent != nil {
              messages.append(value)
            } else if let (call, values) = state.pending.receive(value) {
              if configuration.requiresMaster, value.isRefusalOfMaster { isMaster = false }
              if let values { ended.append((call, values)) }
            } else {
              throw Graph.ValkeyError.valueWithoutCommand
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
  func sendStep(
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
      case .notReady, .wasClosed, .full: call.end(.failure(.noConnection))
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

  /// Closes a connection that its owner does not want, or on which nothing arrives.
  private func closeIfUnusable(at now: Int64) {
    let unusable = state.withLock { state -> (attempt: Int, isSuspect: Bool)? in
      defer { state.unwanted = nil }
      if let unwanted = state.unwanted, unwanted.attempt == state.attempt { return unwanted }
      let isStalled =
        switch state.phase {
        case .closed: false
        case .connecting, .preparing: now - state.since > connectTimeout
        case .ready:
          state.pending.oldest.map { now - max($0.sentAt, state.lastReceived) > stallLimit }
            ?? false
        }
      return isStalled ? (state.attempt, true) : nil
    }
    guard let (attempt, isSuspect) = unusable else { return }
    close(.lost, isSuspect: isSuspect, at: now, attempt)
  }
}
