import GraphQLRuntime

extension Graph {
  /// Operations of one identity over one web socket (GraphQL over WebSocket).
  ///
  /// The connection exists while there are operations, and for the idle timeout after that. It is
  /// opened with the header fields of the first operation. If it is lost, it is opened again for the
  /// subscriptions, after an exponential delay with full jitter and with new header fields. Its
  /// queries and mutations fail, as over HTTP; the pipeline decides whether they are repeated.
  final class SubscriptionSocket: Sendable {
    typealias Dial = @Sendable (OperationRequest) async throws -> any WebSocketConnection
    /// Connects with the header fields of an operation, or with new ones after a former connection.
    typealias ConnectionOpener =
      @Sendable (_ former: FormerConnection?, @escaping Dial) async throws
      -> any WebSocketConnection

    /// The connection before one.
    struct FormerConnection: Sendable {
      /// The header fields of the connection if the server has refused their credentials.
      var refusedHeaders: Headers?
    }

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
      var unread = FIFOQueue<[UInt8]>()
      var unreadByteCount = 0
      var reader: CheckedContinuation<[UInt8]?, any Error>?
      /// The outcome after the unread payloads.
      var end: Result<Void, QueryError>?
    }

    private let state = Locked(State())
    private let maximumUnreadBytes: Int

    init(maximumUnreadBytes: Int) { self.maximumUnreadBytes = maximumUnreadBytes }

    /// - Returns: false if too much is unread: the connection is shared, so a slow reader must not
    ///   block it.
    func push(_ payload: [UInt8]) -> Bool {
      let (reader, fits) = state.withLock {
        state -> (CheckedContinuation<[UInt8]?, any Error>?, Bool) in
        guard state.end == nil else { return (nil, true) }
        if let reader = state.reader.take() { return (reader, true) }
        state.unreadByteCount += payload.count
        state.unread.append(payload)
        return (nil, state.unreadByteCount <= maximumUnreadBytes)
      }
      reader?.resume(returning: payload)
      return fits
    }

    /// Ends with `cancelled` at once, without the unread payloads.
    func cancel() {
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        state.unread = FIFOQueue()
        state.end = .failure(.cancelled)
        return state.reader.take()
      }
      reader?.resume(throwing: QueryError.cancelled)
    }

    /// Ends after the unread payloads. The first end counts.
    func finish(_ end: Result<Void, QueryError>) {
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        guard state.end == nil else { return nil }
        state.end = end
        return state.reader.take()
      }
      reader?.resume(with: end.map { nil }.mapError { $0 })
    }

    /// The next payload, nil at the end. One task reads.
    func next() async throws -> [UInt8]? {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<[UInt8]?, any Error>? in
          if let payload = state.unread.popFirst() {
            state.unreadByteCount -= payload.count
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
  final class SocketStream: Sendable {
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

    /// The next payload, nil if the server has completed the operation.
    ///
    /// - Throws: ``QueryError`` if it has ended otherwise, including failed reconnections.
    func next() async throws -> [UInt8]? {
      try await withTaskCancellationHandler {
        try await channel.next()
      } onCancel: {
        channel.cancel()
        socket.leave(id)
      }
    }
  }
}
