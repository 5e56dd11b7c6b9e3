import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The generations of cache and store in which a response may be kept. They are read before the
  /// token is requested: a user who logs in after that must not get the response.
  struct RequestGenerations: Hashable, Sendable {
    let cache: Int
    let store: GraphQL.StoreGeneration?
  }

  /// A response that was requested, or that another process has stored in the meantime.
  enum FetchedResponse: Sendable {
    case requested(CheckedResponse)
    case stored(CheckedResponse, age: Duration?)

    func response<Root>() -> Response<Root> {
      switch self {
      case .requested(let content): Response(content, source: .network)
      case .stored(let content, let age): Response(content, source: .cache(age: age))
      }
    }
  }

  /// The parts that must be equal for two queries to share a response.
  struct InFlightKey: Hashable, Sendable {
    let document: ExactKey
    let name: String?
    let variables: [UInt8]
    let headers: Headers
    let extensions: JSON.Object
    let root: ObjectIdentifier
    let stores: Bool
    let generations: RequestGenerations
    /// A query that does not accept a stored response must not wait for one that does.
    let terms: LeaseTerms?

    init(
      _ request: OperationRequest, stores: Bool, _ generations: RequestGenerations,
      _ terms: LeaseTerms? = nil
    ) {
      document = ExactKey(request.document)
      name = request.name
      variables = request.variables
      headers = request.headers
      extensions = request.extensions
      root = request.operation.reader.root
      self.stores = stores
      self.generations = generations
      self.terms = terms
    }
  }
}

extension Graph.Client {
  /// Sends an operation without the cache.
  ///
  /// - Parameter mutation: its expected effect, and the effect of its response.
  package func perform<Root>(
    _ operation: GraphQL.Operation<Root>, idempotencyKey: String?, timeout: Duration?,
    repeats: Bool = true, mutation: Graph.MutationEffect<Root>? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Root> {
    // Read before the token is requested, see ``Graph/RequestGenerations``.
    let generation = store?.generation
    let shown = try mutation?.show(in: store, generation)
    defer { shown?.hide() }
    let observation = observation(of: operation)
    do {
      let request = try await prepare(
        Graph.OperationRequest(
          operation, timeout: configuration.attemptTimeout, deadline: deadline(timeout),
          idempotencyKey: idempotencyKey, observation: observation))
      do {
        let content = try await networkResponse(to: request, repeats: repeats).content
        let effect = mutation?.effect(of: content, inPlaceOf: shown) ?? Graph.StoreEffect()
        let kept = await kept(content, in: generation, observation, effect)
        let response = Graph.Response<Root>(kept, source: .network)
        observation?.deliver(response, isLast: true)
        return response
      } catch {
        throw Graph.QueryError(error, of: request)
      }
    } catch {
      let error = Graph.QueryError(error)
      observation?.end(.failed(error))
      throw error
    }
  }

  var generations: Graph.RequestGenerations {
    Graph.RequestGenerations(cache: cache.currentGeneration, store: store?.generation)
  }

  /// The cached response to a prepared query.
  func stored<Root>(
    _ operation: GraphQL.Operation<Root>, _ request: Graph.OperationRequest,
    maximumAge: Duration?, networkError: Graph.QueryError?
  ) async -> Graph.Response<Root>? {
    guard request.operation.uploads.isEmpty else { return nil }
    let observation = request.observation
    let start = observation?.uptime
    if let store {
      let found: GraphQL.StoredResponse<Root>?
      do { found = try await store.response(to: operation, maximumAge: maximumAge) } catch {
        observation?.emit(.cacheRead(.failed), since: start)
        return nil
      }
      if let observation {
        let read: Graph.ObservedCacheRead
        if let found {
          read = .hit(age: found.age)
        } else {
          let old =
            maximumAge == nil ? nil : try? await store.response(to: operation, maximumAge: nil)
          read = old == nil ? .notStored : .tooOld
        }
        observation.emit(.cacheRead(read), since: start)
      }
      return found.map { Graph.Response($0, networkError: networkError) }
    }
    switch await cache.response(
      for: Graph.CacheKey(request, endpoint: endpoint), maximumAge: maximumAge,
      reader: request.operation.reader)
    {
    case .found(let content, let age):
      observation?.emit(.cacheRead(.hit(age: age)), since: start)
      return Graph.Response(content, source: .cache(age: age), networkError: networkError)
    case .missing(let reason):
      observation?.emit(.cacheRead(reason), since: start)
      return nil
    }
  }

  /// The server's response to a prepared query; equal queries share it.
  ///
  /// - Parameters:
  ///   - terms: for a query that accepts the response that another process has stored in the meantime.
  ///   - mayBeStored: called before a request is sent to the server.
  /// - Throws: ``Graph/NotNeeded`` if it returned true.
  func fetchFromNetwork<Root>(
    _ request: Graph.OperationRequest, stores: Bool, in generations: Graph.RequestGenerations,
    terms: Graph.LeaseTerms?, unless mayBeStored: @Sendable () -> Bool
  ) async throws -> Graph.Response<Root> {
    let terms =
      store == nil && stores && request.operation.uploads.isEmpty && cache.leases ? terms : nil
    guard configuration.sharesEqualQueries, request.operation.uploads.isEmpty else {
      return try await fetch(request, stores: stores, in: generations, terms).response()
    }
    // A store receives every response.
    let key = Graph.InFlightKey(request, stores: stores || store != nil, generations, terms)
    let observation = request.observation
    let fetched = try await inFlight.value(
      for: key, until: request.deadline, unless: mayBeStored,
      onUrgency: prefetches.promotion(of: Graph.Prefetch.current),
      onWait: observation.map { observation in
        let start = observation.uptime
        return { observation.emit(.joinedEqualQuery, since: start) }
      }
    ) {
      try await fetch(request, stores: stores, in: generations, terms)
    }
    return fetched.response()
  }

  /// Sends a request to the server, and stores the response.
  private func fetch(
    _ request: Graph.OperationRequest, stores: Bool, in generations: Graph.RequestGenerations,
    _ terms: Graph.LeaseTerms?
  ) async throws -> Graph.FetchedResponse {
    // Its digests are only computed if they are needed.
    lazy var key = Graph.CacheKey(request, endpoint: endpoint)
    var lease: (any Graph.ResponseLease)?
    if let terms {
      // The second half of the time is left for the own request.
      let limit = request.deadline.map { $0.remaining / 2 }
      let start = request.observation?.uptime
      let outcome = await cache.lease(
        for: key, terms, within: limit, reader: request.operation.reader)
      request.observation?.emit(.waitedForProcesses(outcome.observed), since: start)
      switch outcome {
      case .stored(let content, let age):
        return .stored(content, age: age)
      case .granted(let granted): lease = granted
      case .none: break
      }
    }
    let response: Graph.OperationResponse
    do {
      response = try await networkResponse(to: request)
    } catch {
      await lease?.end(letsOthersAsk: false)
      throw error
    }
    defer { storeCount.withLock { $0 += 1 } }
    if store == nil, stores, request.operation.uploads.isEmpty {
      let start = request.observation?.uptime
      let accepted = request.accepted(with: response.sentHeaders)
      if accepted.headers != request.headers {
        // The next query has the new token. The processes that wait have the one that was refused.
        await lease?.end(letsOthersAsk: false)
        lease = nil
        key = Graph.CacheKey(accepted, endpoint: endpoint)
      }
      let result = await cache.store(
        response, for: key, generation: generations.cache, lease: lease)
      request.observation?.emit(.stored(result), since: start)
    }
    return .requested(await kept(response.content, in: generations.store, request.observation))
  }
}

extension Graph.Client {
  /// Passes a response of the server to the store, and returns when it has been stored, so that the
  /// caller finds its objects there. If it cannot be stored, the caller still gets the
  /// response.
  ///
  /// - Parameters:
  ///   - generation: the store's when the request was created.
  ///   - observation: of the call.
  ///   - effect: the effect of a mutation in addition to the objects of its response.
  func kept(
    _ content: Graph.CheckedResponse, in generation: GraphQL.StoreGeneration?,
    _ observation: Graph.CallObservation?, _ effect: Graph.StoreEffect = Graph.StoreEffect()
  ) async -> Graph.CheckedResponse {
    guard let store, content.data != nil else { return content }
    var content = content
    let start = observation?.uptime
    do {
      try await content.keep(store, generation, effect)
      observation?.emit(.stored(.stored), since: start)
    } catch {
      content.storeError = error
      observation?.emit(.stored(.failed(error)), since: start)
    }
    return content
  }
}

extension Graph.Response {
  /// Whether there is data, and no value of it is null because of an error.
  var isComplete: Bool { data.map { !$0.lacksValues(of: errors.map(\.path)) } ?? false }
}

extension GraphQL.ResponseRoot {
  /// Whether the value at one of the paths is null.
  fileprivate func lacksValues(of paths: [[GraphQL.ResponsePathElement]]) -> Bool {
    let (json, root) = _stored
    return paths.contains { path in
      var index = root
      for step in path {
        switch (step, json.kind(at: index)) {
        case (.key(let name), .object):
          guard let value = json.member(name, of: index) else { return true }
          index = value
        case (.index(let ordinal), .array):
          guard ordinal < json.count(at: index) else { return true }
          index = json.firstChild(of: index)
          for _ in 0..<ordinal { index = json.next(after: index) }
        default: return true
        }
      }
      return json.isNull(at: index)
    }
  }
}

extension Graph {
  /// The effect of a mutation on the client's store: the expected one, and that of its response.
  package struct MutationEffect<Root: GraphQL.ResponseRoot>: Sendable {
    let optimistic: StoreChange
    let updates: (@Sendable (Root) -> StoreChange)?

    /// nil if the mutation has no effect other than the objects of its response.
    init?(_ optimistic: StoreChange, _ updates: (@Sendable (Root) -> StoreChange)?) {
      if optimistic.isEmpty, updates == nil { return nil }
      self.optimistic = optimistic
      self.updates = updates
    }

    /// Shows the expected change.
    ///
    /// - Returns: nil if there is none, or the user has logged out since.
    /// - Throws: `invalidChange` if the store cannot show it.
    func show(
      in store: (any GraphQL.ResponseStore)?, _ generation: GraphQL.StoreGeneration?
    ) throws(QueryError) -> ShownChange? {
      guard let store = store as? any GraphQL.OptimisticResponseStore else {
        throw QueryError(
          .invalidChange,
          message: "`optimistic` and `updates` change the objects of a store, and the client has "
            + (store == nil ? "none; create it with `store:`" : "a store without objects"))
      }
      if optimistic.isEmpty { return nil }
      do {
        return ShownChange(store: store, id: try store.show(optimistic, in: generation))
      } catch is GraphQL.StaleGeneration {
        return nil
      } catch {
        throw QueryError(
          .invalidChange, message: "the optimistic change cannot be shown: \(error)", cause: error)
      }
    }

    func effect(of content: CheckedResponse, inPlaceOf shown: ShownChange?) -> StoreEffect {
      StoreEffect(
        expected: shown?.id,
        updates: (content.data as? Root).flatMap { updates?($0) } ?? [])
    }
  }

  /// A change that a store shows.
  struct ShownChange: Sendable {
    let store: any GraphQL.OptimisticResponseStore
    let id: GraphQL.OptimisticChangeID

    func hide() { store.hide(id) }
  }
}

extension Graph {
  /// The JSON payloads of one streamed response, over any protocol.
  struct PayloadStream: Sendable {
    /// An element of the stream.
    enum Element: Equatable, Sendable {
      case payload([UInt8])
      /// The stream has ended correctly.
      case complete
    }

    // One of the three. Parsers in cases of an enum would be copied, with all bytes of an unfinished part, for each
    // chunk.
    private var events: EventStreamParser?
    private var multipart: MultipartParser?
    private let connection: (any OperationStream)?
    private let chunks: ChunkReader
    private var pending: [Element] = []
    /// Which connection has delivered the last payload or error; 0 for a response over HTTP, which has only one.
    private(set) var connectionNumber = 0
    private let headers: Headers

    /// The header fields with which the operation was sent last.
    var sentHeaders: Headers { connection?.sentHeaders ?? headers }

    /// - Parameters:
    ///   - headers: those of the request.
    ///   - maximumByteCount: the maximum number of bytes of one payload.
    ///   - idleTimeout: the maximum idle time.
    /// - Returns: nil if the response is not a stream.
    init?(
      _ head: HTTPResponse, to headers: Headers, maximumByteCount: Int, idleTimeout: Duration?,
      time: any TimeSource
    ) {
      guard head.isStream else { return nil }
      let type = MediaType(head.headers["Content-Type"])
      if type?.essence == MediaType.eventStream {
        events = EventStreamParser(maximumByteCount: maximumByteCount)
      } else {
        multipart = MultipartParser(
          boundary: type?.parameters["boundary"] ?? "-", maximumByteCount: maximumByteCount)
      }
      connection = nil
      self.headers = headers
      chunks = ChunkReader(head.body, idleTimeout: idleTimeout, time: time)
    }

    /// The payloads of a subscription over a connection of its own protocol.
    init(_ stream: any OperationStream) {
      connection = stream
      headers = [:]
      chunks = ChunkReader(HTTPResponse.Body([]), idleTimeout: nil, time: SystemTime())
    }

    /// The last event's `id`, for a connection that continues after this one.
    var lastEventID: String? { events?.lastEventID }

    /// The next payload, or the end.
    ///
    /// - Throws: ``TransportError`` with `connectionLost` if the stream ends early, or nothing
    ///   arrives for too long, and with `tooLarge` after the payloads before such a one.
    nonisolated(nonsending) mutating func next() async throws -> Element {
      if let connection {
        do {
          guard let payload = try await connection.next() else { return .complete }
          connectionNumber = payload.connection
          return .payload(payload.bytes)
        } catch {
          connectionNumber = connection.connectionCount
          throw error
        }
      }
      while true {
        if !pending.isEmpty { return pending.removeFirst() }
        if let failure = events?.failure ?? multipart?.failure { throw failure }
        if let part = multipart?.earlyPart() { return .payload(part) }
        guard let chunk = try await chunks.next() else {
          throw TransportError(
            .connectionLost, message: "the stream ended before it was complete", bytesSent: true)
        }
        pending = elements(chunk)
      }
    }

    private mutating func elements(_ chunk: [UInt8]) -> [Element] {
      if let events = events?.feed(chunk) {
        return events.compactMap { event in
          switch event.type {
          case "complete": .complete
          case "next", "message": event.data.isEmpty ? nil : .payload(Array(event.data.utf8))
          default: nil
          }
        }
      }
      let parts = multipart?.feed(chunk) ?? []
      // Some servers end a body with an empty part.
      return parts.filter { !$0.isEmpty }.map { .payload($0) }
        + (multipart?.isComplete == true ? [.complete] : [])
    }
  }
}

extension Graph {
  /// A server's response to an operation that may stream.
  enum StreamOrResponse {
    case stream(PayloadStream)
    /// A single response.
    case response(OperationResponse)
  }
}

extension Graph.Pipeline {
  /// Sends an operation whose response may stream. The interceptors wrap the opening, so that a
  /// refused token is refreshed as usual; for a stream they receive an empty response.
  ///
  /// - Parameters:
  ///   - request: a prepared request.
  ///   - accept: the media types that the response may have.
  ///   - idleTimeout: the maximum idle time of the stream.
  func open(
    _ request: Graph.OperationRequest, accept: String, idleTimeout: Duration?
  ) async throws -> Graph.StreamOrResponse {
    let record = Graph.SendingRecord()
    try await waitForHost(of: request, record)
    // Passes the stream to the caller outside the interceptors.
    let opened = Locked<Graph.PayloadStream?>(nil)
    let response = try await observed(request, number: 1) { request in
      try await intercepted(request, record) { [self] request in
        try await limited(request) { request in
          try await record.note(request) {
            let (stream, response) = try await self.exchange(request, accept, idleTimeout)
            // If an interceptor opened two, the last one counts.
            opened.withLock { $0 = stream }
            return response
          }
        }
      }
    }
    return opened.withLock { $0 }.map { .stream($0) } ?? .response(response)
  }
  /// - Returns: an empty response if there is a stream.
  private func exchange(
    _ request: Graph.OperationRequest, _ accept: String, _ idleTimeout: Duration?
  ) async throws -> (Graph.PayloadStream?, Graph.OperationResponse) {
    let http = exchange.streamRequest(request, accept: accept)
    try http.check()
    var observation = Graph.ExchangeObservation([request], http)
    do {
      let head = try await exchange.transport.send(http)
      observation?.status = head.status
      let limit = exchange.maximumResponseBytes
      let stream = Graph.PayloadStream(
        head, to: request.headers, maximumByteCount: limit, idleTimeout: idleTimeout, time: time)
      if let stream {
        observation?.end(receivedBytes: 0)
        return (
          stream,
          Graph.OperationResponse(
            status: head.status, headers: head.headers, content: .none, bytes: [])
        )
      }
      let bytes = try await head.body.collect(upTo: limit)
      observation?.end(receivedBytes: bytes.count)
      return (
        nil,
        try Graph.ResponseReader(request: request)
          .read(status: head.status, headers: head.headers, bytes: bytes)
      )
    } catch {
      observation?.end(receivedBytes: 0)
      throw error
    }
  }
}

extension Graph {
  /// The response to an operation. It can have both data and errors.
  public struct Response<Root: GraphQL.ResponseRoot>: Sendable {
    /// The source of a response.
    public enum Source: Sendable, Hashable {
      case network
      /// From the cache or the store, with its age; nil if that is unknown.
      case cache(age: Duration?)
    }

    /// nil if the server could not execute the operation at all; `errors` then contains the
    /// reasons.
    public let data: Root?
    /// The server's errors for the parts that it could not compute.
    public let errors: [GraphQL.ResponseError]
    /// Additional information from the server, such as the cost of the operation.
    public let extensions: JSON?
    /// The source of the response.
    public let source: Source
    /// Why the response comes from the cache although the network was tried first.
    public let networkError: QueryError?
    /// Why the client's store has not kept the response, such as
    /// ``/GraphQLRuntime/GraphQL/StaleGeneration``.
    public let storeError: (any Error)?

    init(_ content: CheckedResponse, source: Source, networkError: QueryError? = nil) {
      data = content.data as? Root
      errors = content.errors
      extensions = content.extensions
      self.source = source
      self.networkError = networkError
      storeError = content.storeError
    }

    init(_ stored: GraphQL.StoredResponse<Root>, networkError: QueryError?) {
      data = stored.data
      errors = stored.errors
      extensions = nil
      source = .cache(age: stored.age)
      self.networkError = networkError
      storeError = nil
    }

    /// The data.
    ///
    /// - Throws: ``QueryError`` with the code `responseErrors` or `noData` if there is none.
    public func requireData() throws(QueryError) -> Root {
      guard let data else { throw error ?? .noData() }
      return data
    }

    /// Whether what the store returns has older values than the server's response: for parts that the server could not
    /// compute, or that have not arrived yet.
    package func isNewer(than stored: Root) -> Bool {
      guard source == .network, let data else { return false }
      let context = data._context
      let isWhole = errors.isEmpty && !context.hasNext && context.failed.isEmpty
      return !isWhole && !stored._hasSameContent(as: data)
    }

    /// The error of a completion handler, in addition to the data.
    public var error: QueryError? {
      if !errors.isEmpty { return .responseErrors(errors) }
      return data == nil ? .noData() : networkError
    }
  }
}
