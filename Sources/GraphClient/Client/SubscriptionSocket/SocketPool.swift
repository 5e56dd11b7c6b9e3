import GraphQLRuntime

extension Graph {
  /// The web sockets of a client, one for each identity that is in use.
  final class SocketPool: Sendable {
    private let sockets = Locked<[SubscriptionSocket]>([])
    private let connector: SocketConnector
    private let retryPolicy: RetryPolicy
    private let maximumUnreadBytes: Int

    /// - Parameter maximumUnreadBytes: the maximum number of unread bytes of one operation.
    init(_ connector: SocketConnector, retryPolicy: RetryPolicy, maximumUnreadBytes: Int) {
      self.connector = connector
      self.retryPolicy = retryPolicy
      self.maximumUnreadBytes = maximumUnreadBytes
    }

    deinit {
      for socket in sockets.withLock({ $0 }) { socket.closeIfIdle() }
    }

    /// Sends an operation over the web socket of its identity. Idle ones of other identities close.
    ///
    /// - Throws: ``OtherIdentity`` for a query or mutation if only web sockets of other identities
    ///   are in use. It can use HTTP, and header fields that are different in every request do not
    ///   lead to a connection for each of them at the same time.
    func subscribe(
      _ request: OperationRequest, open: @escaping SubscriptionSocket.ConnectionOpener
    ) throws(QueryError) -> SocketStream {
      let identity = Identity(of: request.headers)
      let stream = sockets.withLock { sockets -> SocketStream? in
        for socket in sockets { socket.closeIfIdle(unless: identity) }
        sockets.removeAll { $0.isClosed }
        for socket in sockets {
          if let stream = socket.subscribe(request, identity: identity, open: open) {
            return stream
          }
        }
        guard sockets.isEmpty || request.kind == .subscription else { return nil }
        let socket = SubscriptionSocket(
          connector, retryPolicy: retryPolicy, maximumUnreadBytes: maximumUnreadBytes)
        sockets.append(socket)
        return socket.subscribe(request, identity: identity, open: open)
      }
      guard let stream else { throw .otherIdentity }
      return stream
    }
  }
}
