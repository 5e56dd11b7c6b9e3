import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The events of a subscription, each a response (specification: 6.2.3 Subscription).
  ///
  /// The request is sent when iteration begins, again for each iterator. A lost connection is
  /// opened again, with new header fields. Events that happen on the server while there is no
  /// connection are not delivered. Ending the task, or releasing the iterator, ends the subscription.
  public struct Subscription<Root: GraphQL.ResponseRoot>: AsyncSequence, Sendable {
    public typealias Element = Response<Root>
    public typealias Failure = QueryError

    let client: Client
    let operation: Result<GraphQL.Operation<Root>, QueryError>
    let form: SubscriptionProtocol

    public func makeAsyncIterator() -> Iterator { Iterator(client, operation, form) }

    /// Yields until the server completes the subscription, or an error ends it.
    public struct Iterator: AsyncIteratorProtocol {
      private let client: Client
      private let operation: Result<GraphQL.Operation<Root>, QueryError>
      private let form: SubscriptionProtocol
      private var stream: PayloadStream?
      private var request: OperationRequest?
      private var generation: GraphQL.StoreGeneration?
      private var lastEventID: String?
      private var failures = 0
      private var isComplete = false
      /// Whether the connection has delivered an event.
      private var hasDelivered = false
      private var connectionNumber = 0
      /// Whether the token was renewed for the connection.
      private var hasRenewedToken = false
      /// How often the token was renewed since the last event.
      private var renewals = 0
      /// nil before the first step, and if nothing observes the client.
      private var observation: CallObservation?

      init(
        _ client: Client, _ operation: Result<GraphQL.Operation<Root>, QueryError>,
        _ form: SubscriptionProtocol
      ) {
        self.client = client
        self.operation = operation
        self.form = form
      }

      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async throws(QueryError) -> Response<Root>? {
        while !isComplete {
          let formerEventID = lastEventID
          do {
            guard let content = try await nextContent() else { continue }
            if let stream, content.data == nil,
              try await renewsToken(in: stream.sentHeaders, after: content.errors)
            {
              lastEventID = formerEventID
              closeStream()
              continue
            }
            failures = 0
            hasDelivered = true
            hasRenewedToken = false
            renewals = 0
            let response = Response<Root>(
              await client.kept(content, in: generation, observation), source: .network)
            observation?.deliver(response, isLast: false)
            return response
          } catch {
            var error = QueryError(error, of: request)
            let headers = stream?.sentHeaders
            closeStream(error)
            if let headers, error.code == .responseErrors {
              do throws(QueryError) {
                if try await renewsToken(in: headers, after: error.errors) {
                  lastEventID = formerEventID
                  continue
                }
              } catch let cancelled {
                error = cancelled
              }
            } else if headers != nil {
              // The connection was lost, so its token was accepted.
              hasRenewedToken = false
            }
            try await recover(from: error)
          }
        }
        closeStream()
        observation?.end(.completed)
        return nil
      }

      public mutating func next() async throws(QueryError) -> Response<Root>? {
        try await next(isolation: nil)
      }

      /// nil if there is nothing to deliver, which may be the end.
      private mutating func nextContent(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> CheckedResponse? {
        guard stream != nil, let request else { return try await connect() }
        defer { noteConnection() }
        let element = try await stream?.next()
        lastEventID = stream?.lastEventID ?? lastEventID
        switch element {
        case .payload(let bytes):
          return form.isHTTP
            ? try SubscriptionPayload.content(inEvent: bytes, of: request)
            : try SubscriptionPayload.response(in: bytes, of: request)
        case .complete, nil:
          isComplete = true
          return nil
        }
      }

      /// If a connection was lost and opened again, the next event is its first one.
      private mutating func noteConnection() {
        guard let number = stream?.connectionNumber, number != connectionNumber else { return }
        if connectionNumber != 0 {
          hasDelivered = false
          hasRenewedToken = false
        }
        connectionNumber = number
      }

      /// - Returns: the only response of a server that does not stream.
      private mutating func connect(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> CheckedResponse? {
        let operation = try operation.get()
        if observation == nil { observation = client.observation(of: operation) }
        var request = OperationRequest(
          operation, timeout: client.configuration.attemptTimeout,
          deadline: client.deadline(nil), observation: observation)
        if let lastEventID { request.headers["Last-Event-ID"] = lastEventID }
        generation = client.store?.generation
        request = try await client.prepare(request, overHTTP: form.isHTTP)
        self.request = request
        hasDelivered = false
        connectionNumber = 0
        let accept: String
        switch form.connection {
        case .http(let types): accept = types
        case .other(let settings):
          stream = PayloadStream(try client.stream(request, over: settings))
          return nil
        }
        let opened = try await client.pipeline.open(
          request, accept: accept, idleTimeout: client.configuration.streamTimeout)
        switch opened {
        case .stream(let stream):
          self.stream = stream
          observation?.openConnection()
          return nil
        case .response(let response):
          isComplete = true
          return response.content
        }
      }

      /// - Parameter error: nil if the subscription has ended.
      private mutating func closeStream(_ error: QueryError? = nil) {
        stream = nil
        // Some streams just end if their reader is cancelled.
        observation?.closeConnection(Task.isCancelled || error?.isCancelled == true ? nil : error)
      }

      /// Whether the server has refused the token of a subscription within its stream, and there may be another one.
      /// The interceptors receive only the head of a stream, and responses that do not stream.
      ///
      /// - Throws: `cancelled` if the task is cancelled meanwhile.
      private mutating func renewsToken(
        in headers: Headers, after errors: [GraphQL.ResponseError],
        isolation: isolated (any Actor)? = #isolation
      ) async throws(QueryError) -> Bool {
        guard !hasDelivered, !hasRenewedToken,
          renewals < client.configuration.retryPolicy.maximumAttempts,
          errors.contains(where: { $0.code == "UNAUTHENTICATED" })
        else { return false }
        let isRenewed = await client.renewToken(after: headers)
        if Task.isCancelled { throw .cancelled }
        hasRenewedToken = isRenewed
        renewals += 1
        return isRenewed
      }

      /// Waits before the next connection, or ends with the error.
      private mutating func recover(
        from error: QueryError, isolation: isolated (any Actor)? = #isolation
      ) async throws(QueryError) {
        failures += 1
        let policy = client.configuration.retryPolicy
        // Other connections have been opened again as often as the policy allows.
        guard form.isHTTP, failures < policy.maximumAttempts,
          let delay = policy.delay(
            RetryDecision(.failure(error), now: client.time.now), after: failures, time: client.time
          )
        else {
          isComplete = true
          observation?.end(.failed(error))
          throw error
        }
        if !Task.isCancelled {
          observation?.emit(.retry(ObservedRetry(.failure(error)), after: delay))
        }
        do { try await client.time.sleep(for: delay) } catch {
          isComplete = true
          observation?.end(.failed(.cancelled))
          throw .cancelled
        }
      }
    }
  }
}

extension Graph {
  enum SubscriptionPayload {
    /// The response in one event: the whole event, or its member `payload`. Next to `payload`, an
    /// event may have errors that end the subscription. nil for a keep-alive.
    static func content(
      inEvent bytes: [UInt8], of request: OperationRequest
    ) throws(QueryError) -> CheckedResponse? {
      let json: JSONDocument
      var failed: FailedResponse { FailedResponse(status: nil, bytes: bytes) }
      do { json = try JSONDocument(parsing: bytes) } catch {
        throw QueryError(.invalidJSON(error), failed)
      }
      guard let members = json.root.members else {
        throw QueryError(.malformed("an event is not an object"), failed)
      }
      if members.isEmpty { return nil }
      guard let payload = json.root["payload"] else {
        return try response(in: bytes, of: request)
      }
      if payload.isNull {
        let errors = GraphQL.ResponseError.list(in: bytes)
        if errors.isEmpty { return nil }
        throw .responseErrors(errors, failed)
      }
      return try response(in: Array(json.source(at: payload.index)), of: request)
    }

    /// The response in a message of a web socket, which has no other form.
    static func response(
      in bytes: [UInt8], of request: OperationRequest
    ) throws(QueryError) -> CheckedResponse {
      do {
        return try request.observation.reading(bytes.count) {
          () throws(GraphQL.ResponseFailure) in try request.operation.reader.read(bytes)
        }
      } catch {
        throw QueryError(error, FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}

extension Graph {
  /// The protocol for a subscription's events. The set is open: GraphWebSocket has another one.
  public struct SubscriptionProtocol: Sendable, Hashable, CustomStringConvertible {
    /// The kind of connection for the events.
    enum Connection: Sendable {
      case http(accept: String)
      case other(any ConnectionSettings)
    }

    let connection: Connection
    /// The name, for logs.
    public let description: String

    /// Server-sent events, one connection per subscription (GraphQL over server-sent events,
    /// distinct connections mode).
    public static let serverSentEvents = SubscriptionProtocol(
      connection: .http(accept: MediaType.eventStream), description: "serverSentEvents")
    /// `multipart/mixed` with a part per event.
    public static let multipart = SubscriptionProtocol(
      connection: .http(
        accept:
          "\(MediaType.multipartMixed);boundary=graphql;subscriptionSpec=1.0, \(MediaType.json)"),
      description: "multipart")

    private init(connection: Connection, description: String) {
      self.connection = connection
      self.description = description
    }

    /// A protocol over connections that are not HTTP requests.
    ///
    /// - Parameters:
    ///   - settings: create the connections of a client without settings.
    ///   - description: the name, which no other protocol has.
    package init(over settings: any ConnectionSettings, description: String) {
      self.init(connection: .other(settings), description: description)
    }

    var isHTTP: Bool { if case .http = connection { true } else { false } }

    public static func == (left: SubscriptionProtocol, right: SubscriptionProtocol) -> Bool {
      left.description == right.description
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}
