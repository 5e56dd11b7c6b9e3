import GraphClient
import GraphQLRuntime

extension Graph {
  /// Operations of one identity over one web socket (GraphQL over WebSocket).
  ///
  /// The connection exists while there are operations, and for the idle timeout after that. It is
  /// opened with the header fields of the first operation. If it is lost, it is opened again for the
  /// subscriptions, after an exponential delay with full jitter and with new header fields. Its
  /// queries and mutations fail, as over HTTP; the pipeline decides whether they are repeated.
  final class SubscriptionSocket: Sendable {
    struct Entry: Sendable {
      /// The order of subscribing.
      let number: Int
      let request: OperationRequest
      let channel: SocketChannel
      let open: ConnectionOpener
      let identity: Identity
      /// Whether the server may have received it.
      var wasSent = false
    }

    enum Outgoing: Sendable {
      case message(ClientMessage)
      case close
    }

    /// Opening and using connections, from the first operation until the last one has ended.
    struct Run: Sendable {
      let number: Int
      var task: Task<Void, Never>?
      /// Set while a connection is acknowledged.
      var outbox: AsyncStream<Outgoing>.Continuation?
      /// The header fields of the connection.
      var headers: Headers = [:]
      /// The identities of operations that may use the current connection or the next one: that of
      /// the request that opens it, and others if an interceptor renews its token meanwhile.
      var identities: Set<Identity>
    }

    struct State: Sendable {
      var entries: [String: Entry] = [:]
      var count = 0
      var runCount = 0
      var run: Run?
      /// Closes the connection if there is no operation until then.
      var closing: ScheduledAction?
    }

    let state = Locked(State())
    let connector: SocketConnector
    let retryPolicy: RetryPolicy
    private let maximumUnreadBytes: Int

    var time: any TimeSource { connector.time }
    private var idleTimeout: Duration { connector.settings.appliedIdleTimeout }

    /// - Parameter maximumUnreadBytes: the maximum number of unread bytes of one operation.
    init(_ connector: SocketConnector, retryPolicy: RetryPolicy, maximumUnreadBytes: Int) {
      self.connector = connector
      self.retryPolicy = retryPolicy
      self.maximumUnreadBytes = maximumUnreadBytes
    }

    /// Whether there is no connection and none is being opened.
    var isClosed: Bool { state.withLock { $0.run == nil } }

    /// Sends an operation, over an existing or a new connection.
    ///
    /// - Returns: nil if the connection has other credentials.
    func subscribe(
      _ request: OperationRequest, identity: Identity, open: @escaping ConnectionOpener
    ) -> SocketStream? {
      let channel = SocketChannel(maximumUnreadBytes: maximumUnreadBytes)
      let (id, newRun) = state.withLock { state -> (String?, Int?) in
        if let run = state.run, !run.identities.contains(identity) { return (nil, nil) }
        state.count += 1
        let id = "\(state.count)"
        state.entries[id] = Entry(
          number: state.count, request: request, channel: channel, open: open,
          identity: identity)
        state.closing.take()?.cancel()
        if state.run == nil {
          state.runCount += 1
          state.run = Run(number: state.runCount, identities: [identity])
          return (id, state.runCount)
        }
        state.send(id)
        return (id, nil)
      }
      if let newRun { start(newRun) }
      return id.map { SocketStream(self, id: $0, channel: channel) }
    }

    /// Closes the connection if there is no operation.
    ///
    /// - Parameter identity: keeps a connection of this identity open.
    func closeIfIdle(unless identity: Identity? = nil) {
      state.withLock { state -> Task<Void, Never>? in
        if let identity, state.run?.identities.contains(identity) == true { return nil }
        return state.endRunIfIdle()
      }?.cancel()
    }

    /// The consumer has stopped.
    func leave(_ id: String) { remove(id, tellsServer: true) }

    /// Whether the server may have received an operation that has not ended.
    func wasSent(_ id: String) -> Bool { state.withLock { $0.entries[id]?.wasSent ?? false } }

    /// Removes an operation. After the last one, the connection closes when the idle timeout has
    /// passed.
    @discardableResult
    func remove(_ id: String, tellsServer: Bool) -> Entry? {
      let (entry, task) = state.withLock { state -> (Entry?, Task<Void, Never>?) in
        guard let entry = state.entries.removeValue(forKey: id) else { return (nil, nil) }
        if tellsServer, entry.wasSent {
          state.run?.outbox?.yield(.message(.complete(id: id)))
        }
        return (entry, idleTimeout == .zero ? state.endRunIfIdle() : nil)
      }
      task?.cancel()
      if entry != nil, idleTimeout > .zero { closeLater() }
      return entry
    }

    private func closeLater() {
      let closing = time.schedule(after: idleTimeout) { [weak self] in self?.closeIfIdle() }
      let former = state.withLock { state -> ScheduledAction? in
        guard state.entries.isEmpty, state.run != nil else { return closing }
        let former = state.closing
        state.closing = closing
        return former
      }
      former?.cancel()
    }

    private func start(_ number: Int) {
      let task = Task { await run(number) }
      let isOver = state.withLock { state in
        guard state.run?.number == number else { return true }
        state.run?.task = task
        return false
      }
      if isOver { task.cancel() }
    }
  }
}

extension Graph.SubscriptionSocket.State {
  /// Sends the operation if there is a connection.
  mutating func send(_ id: String) {
    guard let outbox = run?.outbox, let request = entries[id]?.request else { return }
    entries[id]?.wasSent = true
    entries[id]?.channel.noteSending(run?.headers ?? [:])
    outbox.yield(.message(.subscribe(id: id, request)))
  }

  /// - Returns: the task to cancel.
  mutating func endRunIfIdle() -> Task<Void, Never>? {
    guard entries.isEmpty else { return nil }
    closing.take()?.cancel()
    let ended = run.take()
    ended?.outbox?.yield(.close)
    ended?.outbox?.finish()
    return ended?.task
  }
}

extension Graph {
  /// The payloads of one operation, shared by the connection and the task that reads them.
  ///
  /// The continuation is removed from the state before it is resumed, so it resumes once.
  final class SocketChannel: Sendable {
    private struct State {
      var unread = FIFOQueue<OperationPayload>()
      var unreadByteCount = 0
      var reader: CheckedContinuation<OperationPayload?, any Error>?
      /// The number of connections over which the operation was sent.
      var connectionCount = 0
      /// The header fields of the last one.
      var sentHeaders: Headers = [:]
      /// The outcome after the unread payloads.
      var end: Result<Void, QueryError>?
    }

    private let state = Locked(State())
    private let maximumUnreadBytes: Int

    init(maximumUnreadBytes: Int) { self.maximumUnreadBytes = maximumUnreadBytes }

    var connectionCount: Int { state.withLock { $0.connectionCount } }
    var sentHeaders: Headers { state.withLock { $0.sentHeaders } }

    /// The operation is sent over a connection with these header fields.
    func noteSending(_ headers: Headers) {
      state.withLock { state in
        state.connectionCount += 1
        state.sentHeaders = headers
      }
    }

    /// - Returns: false if too much is unread: the connection is shared, so a slow reader must not
    ///   block it.
    func push(_ bytes: [UInt8]) -> Bool {
      let (payload, reader, fits) = state.withLock {
        state -> (OperationPayload, CheckedContinuation<OperationPayload?, any Error>?, Bool) in
        let payload = OperationPayload(bytes: bytes, connection: state.connectionCount)
        guard state.end == nil else { return (payload, nil, true) }
        if let reader = state.reader.take() { return (payload, reader, true) }
        state.unreadByteCount += bytes.count
        state.unread.append(payload)
        return (payload, nil, state.unreadByteCount <= maximumUnreadBytes)
      }
      reader?.resume(returning: payload)
      return fits
    }

    /// Ends with `cancelled` at once, without the unread payloads.
    func cancel() {
      let reader = state.withLock { state -> CheckedContinuation<OperationPayload?, any Error>? in
        state.unread = FIFOQueue()
        state.end = .failure(.cancelled)
        return state.reader.take()
      }
      reader?.resume(throwing: QueryError.cancelled)
    }

    /// Ends after the unread payloads. The first end counts.
    func finish(_ end: Result<Void, QueryError>) {
      let reader = state.withLock { state -> CheckedContinuation<OperationPayload?, any Error>? in
        guard state.end == nil else { return nil }
        state.end = end
        return state.reader.take()
      }
      reader?.resume(with: end.map { nil }.mapError { $0 })
    }

    /// The next payload, nil at the end. One task reads.
    func next() async throws -> OperationPayload? {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<OperationPayload?, any Error>? in
          if let payload = state.unread.popFirst() {
            state.unreadByteCount -= payload.bytes.count
            return .success(payload)
          }
          if let end = state.end { return end.map { nil }.mapError { $0 } }
          guard state.reader == nil else {
            return .failure(QueryError.violation("two tasks read the same subscription"))
          }
          state.reader = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }

  /// An operation over a web socket. Releasing it, or cancelling the task that reads, ends it.
  final class SocketStream: OperationStream {
    private let socket: SubscriptionSocket
    private let id: String
    private let channel: SocketChannel

    init(_ socket: SubscriptionSocket, id: String, channel: SocketChannel) {
      self.socket = socket
      self.id = id
      self.channel = channel
    }

    deinit { socket.leave(id) }

    /// Whether the server may have received the operation.
    var wasSent: Bool { socket.wasSent(id) }

    var connectionCount: Int { channel.connectionCount }
    var sentHeaders: Headers { channel.sentHeaders }

    /// The next payload, nil if the server has completed the operation.
    ///
    /// - Throws: `QueryError` if it has ended otherwise, including failed reconnections.
    func next() async throws -> OperationPayload? {
      try await withTaskCancellationHandler {
        try await channel.next()
      } onCancel: {
        channel.cancel()
        socket.leave(id)
      }
    }
  }
}

extension Graph.SubscriptionSocket {
  /// Opens one connection after the other until there are no operations or one cannot be opened.
  func run(_ number: Int) async {
    var failures = 0
    var refusals = 0
    var former: Graph.FormerConnection?
    while let first = first(of: number) {
      let outcome = await connection(number, first, after: former)
      let isRefusal = outcome.wasAcknowledged && outcome.error.code == .unauthenticated
      former = Graph.FormerConnection(refusedHeaders: isRefusal ? outcome.headers : nil)
      refusals = isRefusal ? (outcome.hasLasted ? 1 : refusals + 1) : 0
      // Events before a refusal do not count: a server may send one over each connection.
      let wasUseful = outcome.hasLasted || outcome.hasDelivered && !isRefusal
      failures = wasUseful ? 1 : failures + 1
      finish(outcome, subscriptions: false)
      guard self.first(of: number) != nil else { return }
      // The token may have expired: the next connection is opened with a new one, once.
      let delay =
        refusals == 1
        ? .zero : retryPolicy.connectionDelay(outcome.error, failures: failures, time: time)
      if let delay {
        guard (try? await time.sleep(for: delay)) != nil else { return }
      } else {
        // Operations that arrived later have not failed yet.
        finish(outcome, subscriptions: true)
        failures = 0
        refusals = 0
      }
    }
  }

  private struct Outcome {
    let error: Graph.QueryError
    let wasAcknowledged: Bool
    /// The header fields of the connection; nil if none was opened.
    var headers: Graph.Headers?
    /// The operations that the connection had when it ended.
    let operations: Set<String>
    /// Whether the connection delivered an event.
    var hasDelivered = false
    /// Whether the connection lasted longer than the longest delay.
    var hasLasted = false
  }

  /// Opens a connection and uses it until it ends.
  private func connection(
    _ number: Int, _ first: Entry, after former: Graph.FormerConnection?
  ) async -> Outcome {
    let opened = Locked<(any Graph.WebSocketConnection)?>(nil)
    let identities = Locked<Set<Graph.Identity>>(former == nil ? [first.identity] : [])
    let headers = Locked<Graph.Headers?>(nil)
    let connection: any Graph.WebSocketConnection
    do {
      try await first.open(former) { [connector] request in
        headers.withLock { $0 = request.headers }
        identities.withLock { _ = $0.insert(Graph.Identity(of: request.headers)) }
        do {
          let connection = try await connector.connect(headers: request.headers)
          let former = opened.withLock { opened in
            defer { opened = connection }
            return opened
          }
          former?.close(nil)
        } catch {
          throw Graph.QueryError(socket: error)
        }
      }
      guard let last = opened.withLock({ $0 }) else {
        throw Graph.QueryError.violation("an interceptor responded in place of the web socket")
      }
      connection = last
    } catch {
      opened.withLock { $0 }?.close(nil)
      return Outcome(
        error: Graph.QueryError(socket: error), wasAcknowledged: false,
        operations: state.withLock { Set($0.entries.keys) })
    }
    let sent = headers.withLock { $0 }
    guard let outbox = attach(number, identities.withLock { $0 }, sent ?? [:]) else {
      connection.close(nil)
      return Outcome(error: .cancelled, wasAcknowledged: true, operations: [])
    }
    let start = time.now.uptime
    let activity = ConnectionActivity()
    connector.observers?.emit(.connectionOpened(.webSocket))
    let (error, operations) = await use(connection, number, outbox, activity)
    observeEnd(of: number, error, since: start)
    return Outcome(
      error: Graph.QueryError(socket: error), wasAcknowledged: true,
      headers: sent, operations: operations, hasDelivered: activity.hasDelivered,
      hasLasted: time.now.uptime - start > retryPolicy.backoff.maximum)
  }

  private func use(
    _ connection: any Graph.WebSocketConnection, _ number: Int,
    _ outbox: AsyncStream<Outgoing>, _ activity: ConnectionActivity
  ) async -> (end: any Error, operations: Set<String>) {
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
    let operations = detach(number)
    // The last messages, such as `complete`, are still sent.
    _ = await writer.result
    connection.close(end)
    return (end, operations)
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
        .failure(.responseErrors(entry.request.errors(inList: errors))))
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

  /// Sends every operation over a new connection, in the order of their subscribing, except queries
  /// and mutations of another identity.
  private func attach(
    _ number: Int, _ identities: Set<Graph.Identity>, _ headers: Graph.Headers
  ) -> AsyncStream<Outgoing>? {
    let (stream, others) = state.withLock { state -> (AsyncStream<Outgoing>?, [Entry]) in
      guard state.run?.number == number else { return (nil, []) }
      let (stream, continuation) = AsyncStream.makeStream(of: Outgoing.self)
      state.run?.outbox = continuation
      state.run?.identities = identities
      state.run?.headers = headers
      var others: [Entry] = []
      for (id, entry) in state.entries.sorted(by: { $0.value.number < $1.value.number }) {
        if entry.request.kind == .subscription || identities.contains(entry.identity) {
          state.send(id)
        } else {
          others.append(entry)
          state.entries[id] = nil
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

  /// - Returns: the operations of the connection. Later ones wait for the next connection.
  private func detach(_ number: Int) -> Set<String> {
    state.withLock { state in
      guard state.run?.number == number else { return [] }
      state.run?.outbox.take()?.finish()
      return Set(state.entries.keys)
    }
  }

  private func enqueue(_ message: Graph.ClientMessage, _ number: Int) {
    state.withLock { state in
      guard state.run?.number == number else { return }
      state.run?.outbox?.yield(.message(message))
    }
  }

  private func observeEnd(of number: Int, _ error: any Error, since start: Duration) {
    guard let observers = connector.observers else { return }
    let isNeeded = state.withLock { $0.run?.number == number && !$0.entries.isEmpty }
    observers.emit(
      .connectionEnded(.webSocket, isNeeded ? Graph.QueryError(socket: error) : nil), since: start)
  }

  /// Ends the queries and mutations of a connection, or its subscriptions.
  private func finish(_ outcome: Outcome, subscriptions: Bool) {
    for id in outcome.operations {
      guard let kind = state.withLock({ $0.entries[id]?.request.kind }),
        (kind == .subscription) == subscriptions, let entry = remove(id, tellsServer: false)
      else { continue }
      let error =
        entry.wasSent
        ? outcome.error.afterSending(isMutation: kind == .mutation) : outcome.error.beforeSending
      entry.channel.finish(.failure(error))
    }
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

extension Graph.QueryError {
  /// The error of an operation that the server has not received.
  fileprivate var beforeSending: Graph.QueryError {
    guard let transportError, transportError.bytesSent else { return self }
    let cause = Graph.TransportError(
      transportError.code, message: transportError.message, underlying: transportError.underlying)
    return Graph.QueryError(
      code, message: message, cause: cause, errors: errors, request: request, response: response)
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

/// First in, first out, in constant time on average.
struct FIFOQueue<Element> {
  private var incoming: [Element] = []
  /// The oldest last.
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  mutating func append(_ element: Element) { incoming.append(element) }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
