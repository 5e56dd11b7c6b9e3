import GraphQLRuntime

extension Graph {
  /// Operations over one web socket (GraphQL over WebSocket).
  ///
  /// The connection exists while there are operations, and for the idle timeout after that. If it is
  /// lost, it is opened again for the subscriptions, after an exponential delay with full jitter and
  /// with a new token. Its queries and mutations fail, as over HTTP; the pipeline decides whether
  /// they are repeated.
  final class SubscriptionSocket: Sendable {
    typealias Dial = @Sendable (OperationRequest) async throws -> any WebSocketConnection
    /// Completes a request with new header fields and connects with it.
    typealias ConnectionOpener =
      @Sendable (OperationRequest, @escaping Dial) async throws -> any WebSocketConnection

    struct Entry: Sendable {
      /// The order of subscribing.
      let number: Int
      let request: OperationRequest
      let channel: SocketChannel
      let open: ConnectionOpener
      /// The fields that may identify the user; nil if the operation fits every connection.
      let identity: [String]?
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
      /// The identity of the current or the last connection.
      var identity: [String] = []
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

    /// Sends an operation, over an existing or a new connection.
    ///
    /// - Parameter identity: the fields of the operation that may identify the user. If the connection
    ///   has others, the stream ends with ``OtherIdentity``. nil fits every connection.
    func subscribe(
      _ request: OperationRequest, identity: [String]? = nil, open: @escaping ConnectionOpener
    ) -> SocketStream {
      let channel = SocketChannel(maximumUnreadBytes: maximumUnreadBytes)
      let (id, newRun) = state.withLock { state -> (String, Int?) in
        state.count += 1
        let id = "\(state.count)"
        if let run = state.run, run.outbox != nil, let identity, run.identity != identity {
          // An idle connection is replaced by one with the operation's credentials.
          guard state.entries.isEmpty else {
            channel.finish(.failure(.otherIdentity))
            return (id, nil)
          }
          state.endRunIfIdle()?.cancel()
        }
        state.entries[id] = Entry(
          number: state.count, request: request, channel: channel, open: open,
          identity: identity)
        state.closing.take()?.cancel()
        if state.run == nil {
          state.runCount += 1
          state.run = Run(number: state.runCount)
          return (id, state.runCount)
        }
        state.send(id)
        return (id, nil)
      }
      if let newRun { start(newRun) }
      return SocketStream(self, id: id, channel: channel)
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
      let closing = time.schedule(after: idleTimeout) { [weak self] in
        self?.state.withLock { $0.endRunIfIdle() }?.cancel()
      }
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
    let ended = run.take()
    ended?.outbox?.yield(.close)
    ended?.outbox?.finish()
    return ended?.task
  }
}
