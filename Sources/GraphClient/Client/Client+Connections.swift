import Foundation
import GraphQLRuntime

extension Graph {
  /// Creates connections for operations that are not HTTP requests: the settings of GraphWebSocket.
  package protocol ConnectionSettings: Sendable {
    /// A connection in the messages of errors, such as `web socket`.
    var connectionName: String { get }

    /// Whether queries and mutations use the connections, like subscriptions.
    var carriesQueriesAndMutations: Bool { get }

    /// The connections of a client.
    func connections(in context: ConnectionContext) -> any OperationConnections
  }

  /// The parts of a client that its connections use.
  package struct ConnectionContext: Sendable {
    package let endpoint: URL
    package let transport: any Transport
    package let retryPolicy: RetryPolicy
    package let maximumResponseBytes: Int
    package let time: any TimeSource
    /// nil if there are none.
    package let observers: Observers?
  }

  /// The connections of a client, at least one for each identity that is in use.
  package protocol OperationConnections: Sendable {
    /// Sends an operation over a connection of its identity, or over a new one.
    ///
    /// - Throws: ``OtherIdentity`` for a query or mutation if only connections of other identities
    ///   are in use.
    func send(
      _ request: OperationRequest, open: @escaping ConnectionOpener
    ) throws(QueryError) -> any OperationStream
  }

  /// The payloads of an operation over a connection. Releasing it, or cancelling the task that reads,
  /// ends the operation.
  package protocol OperationStream: AnyObject, Sendable {
    /// Whether the server may have received the operation.
    var wasSent: Bool { get }

    /// The number of connections over which the operation was sent.
    var connectionCount: Int { get }

    /// The header fields of the last one.
    var sentHeaders: Headers { get }

    /// The next payload, nil if the server has completed the operation.
    ///
    /// - Throws: ``QueryError`` if it has ended otherwise, including failed reconnections.
    func next() async throws -> OperationPayload?
  }

  /// A payload of an operation over a connection.
  package struct OperationPayload: Sendable {
    package let bytes: [UInt8]
    /// Which of the operation's connections has delivered it.
    package let connection: Int

    package init(bytes: [UInt8], connection: Int) {
      self.bytes = bytes
      self.connection = connection
    }
  }

  /// Prepares the request that opens a connection, and calls `dial` with it, again if an interceptor
  /// sends it again. It may throw or return without a call.
  package typealias ConnectionOpener =
    @Sendable (_ former: FormerConnection?, _ dial: @escaping Dial) async throws -> Void

  /// Opens a connection with the header fields of a request. The last one that was opened counts.
  package typealias Dial = @Sendable (OperationRequest) async throws -> Void

  /// The connection before one.
  package struct FormerConnection: Sendable {
    /// The header fields of the connection if the server has refused their credentials.
    let refusedHeaders: Headers?

    package init(refusedHeaders: Headers?) { self.refusedHeaders = refusedHeaders }
  }

  /// A query or mutation cannot use a connection, since those in use have other credentials. It was
  /// not sent.
  struct OtherIdentity: Error {}
}

extension Graph.QueryError {
  package static let otherIdentity = Graph.QueryError(
    .transport, message: "the connection has other credentials", cause: Graph.OtherIdentity())
}

extension Error {
  fileprivate var isOtherIdentity: Bool {
    (self as? Graph.QueryError)?.cause is Graph.OtherIdentity
  }
}

extension Graph.Client {
  /// A prepared operation over a connection of its identity.
  ///
  /// Each connection is opened like a separate request, with the host's throttle and the interceptors,
  /// which receive an empty response with the status 101. The first one has the header fields of the
  /// operation, the others have new ones.
  ///
  /// - Parameter settings: create the connections if the client's configuration has no settings.
  /// - Throws: ``Graph/OtherIdentity`` for a query or mutation if a connection of another identity
  ///   is in use.
  package func stream(
    _ request: Graph.OperationRequest, over settings: any Graph.ConnectionSettings
  ) throws(Graph.QueryError) -> any Graph.OperationStream {
    let operation = withoutTransportHeaders(request)
    // An idle connection does not keep the client.
    return try connections(settings).send(operation) { [weak self] former, dial in
      guard let self else { throw Graph.QueryError.cancelled }
      var request = operation
      request.deadline = deadline(nil)
      if let former {
        if let refused = former.refusedHeaders { await refuseToken(in: refused) }
        request.headers = [:]
        request = try await prepare(request, overHTTP: false)
      }
      let record = Graph.SendingRecord()
      try await pipeline.waitForHost(of: request, record)
      _ = try await pipeline.intercepted(request, record) { request in
        try await record.note(request) {
          try await dial(request)
          return Graph.OperationResponse(
            status: 101, headers: [:],
            content: .none, bytes: [])
        }
      }
    }
  }

  private func connections(
    _ settings: any Graph.ConnectionSettings
  ) -> any Graph.OperationConnections {
    connections.withLock { connections in
      if let connections { return connections }
      let created = (configuration.connectionSettings ?? settings).connections(
        in: Graph.ConnectionContext(
          endpoint: endpoint, transport: pipeline.exchange.transport,
          retryPolicy: configuration.retryPolicy,
          maximumResponseBytes: configuration.maximumResponseBytes, time: time,
          observers: observers))
      connections = created
      return created
    }
  }

  /// The request without the transport's own fields, which a connection does not have.
  private func withoutTransportHeaders(
    _ request: Graph.OperationRequest
  ) -> Graph.OperationRequest {
    let transport = pipeline.exchange.transport.additionalHeaders.fields
    var request = request
    request.headers = Graph.Headers(request.headers.fields.filter { !transport.contains($0) })
    return request
  }

  /// The server's response to a prepared query or mutation, over HTTP or, if configured, over a
  /// connection.
  func networkResponse(
    to request: Graph.OperationRequest, repeats: Bool = true
  ) async throws -> Graph.OperationResponse {
    let isPrefetch = Graph.Prefetch.current != nil
    if !isPrefetch { prefetches.requestBegan() }
    defer { if !isPrefetch { prefetches.requestEnded() } }
    guard let settings = configuration.connectionSettings, settings.carriesQueriesAndMutations,
      request.fitsConnection
    else { return try await pipeline.response(to: request, repeats: repeats) }
    return try await pipeline.response(to: request, repeats: repeats) { request, record in
      do {
        return try await self.response(to: request, over: settings)
      } catch  where error.isOtherIdentity {
        // The connection belongs to a user who was logged in before, or has an older token.
        return try await self.pipeline.sendOverHTTP(request, record)
      }
    }
  }

  private func response(
    to request: Graph.OperationRequest, over settings: any Graph.ConnectionSettings
  ) async throws -> Graph.OperationResponse {
    let stream = try stream(request, over: settings)
    return try await Graph.abandonable { giveUp in
      guard let limit = request.transportTimeout else { return [] }
      return [
        time.schedule(after: limit) {
          giveUp(
            Graph.TransportError(
              .timedOut,
              message:
                "the server did not respond over the \(settings.connectionName) within \(limit)",
              bytesSent: stream.wasSent))
        }
      ]
    } work: {
      guard let bytes = try await stream.next()?.bytes else { throw Graph.QueryError.noData() }
      do {
        let content = try request.observation.reading(bytes.count) {
          () throws(GraphQL.ResponseFailure) in try request.operation.reader.read(bytes)
        }
        return Graph.OperationResponse(
          status: 200, headers: [:], content: content, bytes: bytes, sentHeaders: request.headers)
      } catch let failure as GraphQL.ResponseFailure {
        throw Graph.QueryError(failure, Graph.FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}

extension Graph.OperationRequest {
  /// Whether the response is one message, and the request needs no header field of its own.
  fileprivate var fitsConnection: Bool {
    operation.uploads.isEmpty && idempotencyKey == nil && !document.arrivesInParts
  }
}

extension Graph.OperationRequest {
  /// The errors of a refused operation.
  ///
  /// - Parameter list: a JSON array.
  package func errors(inList list: [UInt8]) -> [GraphQL.ResponseError] {
    let bytes = Array(#"{"errors":"#.utf8) + list + Array("}".utf8)
    return (try? operation.reader.read(bytes))?.errors ?? GraphQL.ResponseError.list(in: bytes)
  }
}

extension Graph.RetryPolicy {
  /// The delay before the next connection; nil after the last attempt, and if a retry does not help.
  ///
  /// - Parameter failures: the number of failed connections in a row, including this one.
  package func connectionDelay(
    _ error: Graph.QueryError, failures: Int, time: any Graph.TimeSource
  ) -> Duration? {
    guard failures < maximumAttempts else { return nil }
    if error.code == .transport, error.transportError?.code == .timedOut {
      return delay(.backOff, after: failures, time: time)
    }
    return delay(
      Graph.RetryDecision(.failure(error), now: time.now), after: failures, time: time)
  }
}
