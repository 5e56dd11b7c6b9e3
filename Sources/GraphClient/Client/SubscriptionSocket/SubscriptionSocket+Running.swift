import GraphQLRuntime

extension Graph.SubscriptionSocket {
  /// Opens one connection after the other until there are no operations or one cannot be opened.
  func run(_ number: Int) async {
    var failures = 0
    while let first = first(of: number) {
      let outcome = await connection(number, first)
      failures = outcome.wasUseful ? 1 : failures + 1
      failSingle(number, outcome)
      guard self.first(of: number) != nil else { return }
      // The token may have expired: the next connection is opened with a new one.
      let mayHaveExpired =
        outcome.wasAcknowledged && failures == 1 && outcome.error.isUnauthenticated
      let delay =
        mayHaveExpired
        ? .zero : retryPolicy.socketDelay(outcome.error, failures: failures, time: time)
      guard let delay, (try? await time.sleep(for: delay)) != nil else {
        failAll(number, outcome.error)
        return
      }
    }
  }

  private struct Outcome {
    let error: Graph.QueryError
    let wasAcknowledged: Bool
    /// Whether the connection delivered an event or lasted longer than the longest delay. Then the
    /// count of failures restarts.
    let wasUseful: Bool
  }

  /// Opens a connection and uses it until it ends.
  private func connection(_ number: Int, _ first: Entry) async -> Outcome {
    let connection: any Graph.WebSocketConnection
    let identity = Locked<[String]>([])
    do {
      connection = try await first.open(first.request) { [connector] request in
        identity.withLock { $0 = Graph.CacheKey.identity(of: request.headers) }
        do { return try await connector.connect(headers: request.headers) } catch {
          throw Graph.QueryError(socket: error)
        }
      }
    } catch {
      return Outcome(
        error: Graph.QueryError(socket: error), wasAcknowledged: false, wasUseful: false)
    }
    guard let outbox = attach(number, identity.withLock { $0 }) else {
      connection.close(nil)
      return Outcome(error: .cancelled, wasAcknowledged: true, wasUseful: false)
    }
    let start = time.now.uptime
    let activity = ConnectionActivity()
    let error = await use(connection, number, outbox, activity)
    let lasted = time.now.uptime - start > retryPolicy.backoff.maximum
    return Outcome(
      error: Graph.QueryError(socket: error), wasAcknowledged: true,
      wasUseful: lasted || activity.hasDelivered)
  }

  private func use(
    _ connection: any Graph.WebSocketConnection, _ number: Int,
    _ outbox: AsyncStream<Outgoing>, _ activity: ConnectionActivity
  ) async -> any Error {
    let subprotocol = connector.settings.subprotocol
    let writer = Task {
      for await item in outbox {
        switch item {
        case .message(let message): try await connection.send(.text(message.text(in: subprotocol)))
        case .close: connection.close(nil)
        }
      }
    }
    let heartbeat = Task { try await beat(connection, number, activity) }
    var end: any Error
    do {
      while true {
        let message = try Graph.ServerMessage(await connection.receive(), in: subprotocol)
        activity.note(message)
        handle(try message.expected(), number)
      }
    } catch {
      end = activity.hasTimedOut ? Graph.TransportError.pingTimeout : error
    }
    heartbeat.cancel()
    detach(number)
    // The last messages, such as `complete`, are still sent.
    _ = await writer.result
    connection.close(end)
    return end
  }

  private func handle(_ message: Graph.ServerMessage, _ number: Int) {
    switch message {
    case .next(let id, let payload):
      // After `complete` was sent, some messages may still arrive.
      guard let channel = state.withLock({ $0.entries[id]?.channel }) else { return }
      guard !channel.push(payload) else { return }
      leave(id)
      channel.finish(.failure(Graph.QueryError(Graph.TransportError.unread)))
    case .error(let id, let errors):
      guard let entry = remove(id, tellsServer: false) else { return }
      if entry.request.kind != .subscription {
        // The response to a query or mutation.
        _ = entry.channel.push(Array(#"{"errors":"#.utf8) + errors + Array("}".utf8))
      }
      entry.channel.finish(
        .failure(.responseErrors(entry.request.reader.errors(errors))))
    case .complete(let id): remove(id, tellsServer: false)?.channel.finish(.success(()))
    case .ping: enqueue(.pong, number)
    case .pong, .keepAlive, .acknowledgement: break
    }
  }

  /// Checks periodically whether the server responds, and closes the connection if it does not.
  private func beat(
    _ connection: any Graph.WebSocketConnection, _ number: Int, _ activity: ConnectionActivity
  ) async throws {
    guard connector.settings.subprotocol.hasPings, let interval = connector.settings.pingInterval
    else { return }
    while true {
      try await time.sleep(for: interval)
      let count = activity.count
      enqueue(.ping, number)
      try await time.sleep(for: connector.settings.pongTimeout)
      guard activity.count == count else { continue }
      activity.stop()
      connection.close(code: 4499, reason: "no response to a ping")
      return
    }
  }
}

extension Graph.SubscriptionSocket {
  /// The oldest operation, whose request opens the connection. The run is over if there is none.
  private func first(of number: Int) -> Entry? {
    state.withLock { state in
      guard state.run?.number == number else { return nil }
      if state.entries.isEmpty { state.run = nil }
      return state.entries.values.min { $0.number < $1.number }
    }
  }

  /// Sends every operation over a new connection, in the order of their subscribing, except those
  /// of another identity.
  private func attach(_ number: Int, _ identity: [String]) -> AsyncStream<Outgoing>? {
    let (stream, others) = state.withLock { state -> (AsyncStream<Outgoing>?, [Entry]) in
      guard state.run?.number == number else { return (nil, []) }
      let (stream, continuation) = AsyncStream.makeStream(of: Outgoing.self)
      state.run?.outbox = continuation
      state.run?.identity = identity
      var others: [Entry] = []
      for (id, entry) in state.entries.sorted(by: { $0.value.number < $1.value.number }) {
        if let own = entry.identity, own != identity {
          others.append(entry)
          state.entries[id] = nil
        } else {
          state.send(id)
        }
      }
      // Nothing is left to send: the connection is not needed.
      guard !state.entries.isEmpty else {
        state.run = nil
        return (nil, others)
      }
      return (stream, others)
    }
    for entry in others { entry.channel.finish(.failure(.otherIdentity)) }
    return stream
  }

  private func detach(_ number: Int) {
    state.withLock { state in
      guard state.run?.number == number else { return }
      state.run?.outbox.take()?.finish()
    }
  }

  private func enqueue(_ message: Graph.ClientMessage, _ number: Int) {
    state.withLock { state in
      guard state.run?.number == number else { return }
      state.run?.outbox?.yield(.message(message))
    }
  }

  /// Ends the queries and mutations of a connection. Only those that arrived after its end wait for
  /// the next one.
  private func failSingle(_ number: Int, _ outcome: Outcome) {
    let entries = state.withLock { state -> [(id: String, entry: Entry)] in
      guard state.run?.number == number else { return [] }
      return state.entries
        .filter {
          $0.value.request.kind != .subscription
            && ($0.value.wasSent || !outcome.wasAcknowledged)
        }
        .map { ($0.key, $0.value) }
    }
    for (id, entry) in entries {
      let error =
        entry.wasSent
        ? outcome.error.afterSending(isMutation: entry.request.kind == .mutation) : outcome.error
      remove(id, tellsServer: false)?.channel.finish(.failure(error))
    }
  }

  private func failAll(_ number: Int, _ error: Graph.QueryError) {
    let entries = state.withLock { state -> [Entry] in
      guard state.run?.number == number else { return [] }
      defer { (state.entries, state.run) = ([:], nil) }
      return Array(state.entries.values)
    }
    for entry in entries { entry.channel.finish(.failure(error)) }
  }
}

/// Keep-alives of a connection.
private final class ConnectionActivity: Sendable {
  private struct State {
    var count = 0
    var hasDelivered = false
    var hasTimedOut = false
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }
  var hasDelivered: Bool { state.withLock { $0.hasDelivered } }
  /// Whether the connection was abandoned.
  var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

  func note(_ message: Graph.ServerMessage) {
    state.withLock { state in
      state.count += 1
      if case .next = message { state.hasDelivered = true }
    }
  }

  func stop() { state.withLock { $0.hasTimedOut = true } }
}

extension Graph.ServerMessage {
  /// - Throws: ``Graph/QueryError`` for a message that is not allowed after the acknowledgement.
  fileprivate func expected() throws(Graph.QueryError) -> Graph.ServerMessage {
    if case .acknowledgement = self { throw .violation("connection_ack was received twice") }
    return self
  }
}

extension Graph.OperationReader {
  /// The errors of a refused operation, a JSON array.
  fileprivate func errors(_ list: [UInt8]) -> [GraphQL.ResponseError] {
    let bytes = Array(#"{"errors":"#.utf8) + list + Array("}".utf8)
    return (try? read(bytes))?.errors ?? GraphQL.ResponseError.list(in: bytes)
  }
}

extension Graph.QueryError {
  /// The error of an operation that the server may have received. Whatever has ended the connection,
  /// the server may have carried out a mutation.
  fileprivate func afterSending(isMutation: Bool) -> Graph.QueryError {
    if let transportError { return Graph.QueryError(transportError.afterSending) }
    guard isMutation else { return self }
    return Graph.QueryError(
      Graph.TransportError(
        .connectionLost, message: message, underlying: self, bytesSent: true))
  }
}

extension Graph.TransportError {
  fileprivate static var pingTimeout: Graph.TransportError {
    Graph.TransportError(
      .connectionLost, message: "the server did not respond to a ping in time", bytesSent: true)
  }

  fileprivate static var unread: Graph.TransportError {
    Graph.TransportError(
      .tooLarge, message: "too many events of the subscription are unread", bytesSent: true)
  }
}
