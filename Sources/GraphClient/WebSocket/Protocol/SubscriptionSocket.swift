import GraphQLRuntime

extension Graph {
  /// Operations over one web socket (GraphQL over WebSocket, `graphql-transport-ws`).
  ///
  /// The connection exists while someone subscribes. When it breaks it is made again, after an
  /// exponential delay with full jitter and with a fresh token, and the operations are sent anew; a
  /// mutation that may have reached the server never is.
  final class SubscriptionSocket: Sendable {
    typealias Dial = @Sendable (OperationRequest) async throws -> any WebSocketConnection
    /// Completes a request with header fields made anew and dials with it.
    typealias Opening =
      @Sendable (OperationRequest, @escaping Dial) async throws -> any WebSocketConnection

    struct Entry: Sendable {
      /// The order of subscribing.
      let number: Int
      let request: OperationRequest
      let channel: SocketChannel
      let open: Opening
      /// Whether the server may have seen it.
      var wasSent = false
    }

    enum Outgoing: Sendable {
      case message(ClientMessage)
      case close
    }

    /// The making and using of connections, from the first operation until the last one has ended.
    struct Run: Sendable {
      let number: Int
      var task: Task<Void, Never>?
      /// Set while a connection is acknowledged.
      var outbox: AsyncStream<Outgoing>.Continuation?
    }

    struct State: Sendable {
      var entries: [String: Entry] = [:]
      var count = 0
      var runCount = 0
      var run: Run?
    }

    let state = Locked(State())
    let connector: SocketConnector
    let retryPolicy: RetryPolicy
    private let maximumUnreadBytes: Int

    var time: any TimeSource { connector.time }

    /// - Parameter maximumUnreadBytes: the most that one subscription may leave unread.
    init(_ connector: SocketConnector, retryPolicy: RetryPolicy, maximumUnreadBytes: Int) {
      self.connector = connector
      self.retryPolicy = retryPolicy
      self.maximumUnreadBytes = maximumUnreadBytes
    }

    /// Sends an operation, over a connection that is there or made for it.
    func subscribe(_ request: OperationRequest, open: @escaping Opening) -> SocketStream {
      let channel = SocketChannel(maximumUnreadBytes: maximumUnreadBytes)
      let (id, newRun) = state.withLock { state -> (String, Int?) in
        state.count += 1
        let id = "\(state.count)"
        state.entries[id] = Entry(
          number: state.count, request: request, channel: channel, open: open)
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

    /// Forgets an operation. The connection goes with the last one.
    @discardableResult
    func remove(_ id: String, tellsServer: Bool) -> Entry? {
      let (entry, task) = state.withLock { state -> (Entry?, Task<Void, Never>?) in
        guard let entry = state.entries.removeValue(forKey: id) else { return (nil, nil) }
        if tellsServer, entry.wasSent {
          state.run?.outbox?.yield(.message(.complete(id: id)))
        }
        return (entry, state.endRunIfIdle())
      }
      task?.cancel()
      return entry
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

  /// - Returns: what is to be cancelled.
  mutating func endRunIfIdle() -> Task<Void, Never>? {
    guard entries.isEmpty else { return nil }
    let ended = run.take()
    ended?.outbox?.yield(.close)
    ended?.outbox?.finish()
    return ended?.task
  }
}
