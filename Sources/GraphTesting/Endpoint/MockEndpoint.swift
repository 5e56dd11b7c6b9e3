public import GraphClient
import GraphJSON
public import GraphQLExecution
import GraphQLRuntime
public import GraphQLSchema

/// A mock GraphQL service inside the process, for tests, previews and demos.
///
/// It parses, validates and executes documents like a service, and generates every value that
/// fixtures and resolvers do not provide: the same for the same seed, plausible for its name,
/// consistent between fields. Connections have pages, `node(id:)` finds returned objects, mutations
/// can change a ``MockStore``, and ``MockFault``s cause failures.
///
/// ```swift
/// let endpoint = try MockEndpoint(schema: schema)
/// endpoint.enqueue(.throttled(requestedCost: 500, available: 100))
/// let client = Graph.Client(endpoint: url, transport: endpoint)
/// ```
///
/// It supports GraphQL over HTTP (POST, and GET for queries), batches, automatic persisted queries,
/// multipart uploads, subscriptions as server-sent events or `multipart/mixed`, and `@defer` and
/// `@stream` if the schema declares them. It responds at any URL.
public final class MockEndpoint: Graph.Transport {
  /// The schema against which documents are validated and executed.
  public let schema: ServiceSchema
  /// The objects that mutations have created or changed.
  public let store: MockStore
  let service: MockService
  let features: MockFeatures
  let clock: any Clock<Duration>
  private let faults: @Sendable (MockRequest) -> [MockFault]
  let state = Locked(EndpointState())

  /// - Parameters:
  ///   - resolvers: for fields whose values should not be generated. Objects in their results may
  ///     leave out fields; those are generated.
  ///   - clock: the clock for delays and intervals.
  ///   - faults: the faults of a request, unless some are enqueued for it.
  /// - Throws: if the fixtures do not fit the schema.
  public init(
    schema: ServiceSchema, options: MockOptions = MockOptions(), fixtures: Fixtures = Fixtures(),
    store: MockStore = MockStore(), resolvers: ResolverTable = ResolverTable(),
    features: MockFeatures = .all, clock: any Clock<Duration> = ContinuousClock(),
    faults: @escaping @Sendable (MockRequest) -> [MockFault] = { _ in [] }
  ) throws(FixtureError) {
    self.schema = schema
    self.store = store
    self.features = features
    self.clock = clock
    self.faults = faults
    service = try MockService(
      schema: schema, options: options, fixtures: fixtures, store: store, resolvers: resolvers)
  }

  /// Enqueues faults for the next request; each further call is for the one after it.
  public func enqueue(_ faults: MockFault...) {
    state.withLock { $0.queue.append(faults) }
  }

  /// The requests received so far, the last 1,000 at least.
  public var requests: [MockRequest] { state.withLock { $0.requests } }

  /// Responds to a request. Its timeout counts the waiting times of faults and events.
  public func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    try request.headers.check()
    if Task.isCancelled { throw Graph.TransportError.cancelled }
    let contents = Result { () throws(RequestReader.Refusal) in try RequestReader.read(request) }
    let operations = (try? contents.get().operations) ?? []
    let (received, queued) = state.withLock { $0.note(request, operations) }
    let plan = FaultPlan(queued ?? faults(received))

    var wait = MockWait(clock: clock, rest: request.timeout)
    try await wait.pause(plan.delay)
    if let error = plan.transportError { throw error }

    let response: EndpointResponse
    if let ready = plan.response {
      response = EndpointResponse(ready)
    } else {
      switch contents {
      case .failure(let refusal):
        response = EndpointResponse(
          ExecutionResult(requestErrors: [refusal.error]), accept: request.headers["accept"],
          status: refusal.status)
      case .success(let contents):
        response = try await self.response(contents, to: request, plan, wait)
      }
    }
    let http = Graph.HTTPResponse(
      status: response.status, headers: response.headers, url: request.url, body: response.body)
    guard plan.pieces != nil || plan.end != nil else { return http }
    if http.isStream { wait = wait.onStream(of: request) }
    let paced = PacedBody(base: response.body, pieces: plan.pieces, end: plan.end, wait: wait)
    return Graph.HTTPResponse(
      status: response.status, headers: response.headers, url: request.url, body: paced.body)
  }
}

extension MockEndpoint {
  /// The manifest of all valid operations with a name that were requested so far: for a service that accepts only
  /// documents that it knows.
  ///
  /// Tests that request every operation of an app record the manifest of its builders. The id of an operation is the
  /// SHA-256 hash of its text. The bytes are the same for the same operations in any order.
  ///
  /// - Returns: `apollo-persisted-query-manifest`, version 1 (JSON).
  public func manifest() -> [UInt8] {
    let operations = state.withLock { $0.operations }
      .sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }
    return ApolloManifest.bytes(
      operations.map { text, operation in
        ApolloManifest.Operation(
          id: SHA256.hexDigest(text), name: operation.name, kind: operation.kind, text: text)
      })
  }

  /// Adds documents by their SHA-256 hash, so that requests may have the hash alone from the beginning.
  public func addTrustedDocuments(_ texts: [String]) {
    let documents = texts.map { (SHA256.hexDigest($0), $0) }
    state.withLock { state in
      for (hash, text) in documents { state.persisted[hash] = text }
    }
  }
}

/// The optional features of a service, in addition to single queries and mutations.
public struct MockFeatures: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Several operations in one request.
  public static let batching = MockFeatures(rawValue: 1)
  /// Automatic persisted queries, version 1.
  public static let persistedQueries = MockFeatures(rawValue: 2)
  /// Subscriptions over HTTP.
  public static let subscriptions = MockFeatures(rawValue: 4)
  /// `@defer` and `@stream`, if the schema declares them.
  public static let incrementalDelivery = MockFeatures(rawValue: 8)
  /// All of them.
  public static let all: MockFeatures = [
    .batching, .persistedQueries, .subscriptions, .incrementalDelivery,
  ]
}

/// The state that an endpoint keeps between requests.
struct EndpointState {
  /// How many documents and requests are kept.
  static let limit = 1_000

  var requestCount = 0
  /// The last requests.
  var requests: [MockRequest] = []
  /// Faults for the next requests, one element each.
  var queue: [[MockFault]] = []
  /// Documents by their text, with their errors.
  var documents: [String: CheckedDocument] = [:]
  /// The texts of persisted documents by their hash, or their id.
  var persisted: [String: String] = [:]
  /// The operations with a name that were requested, by their texts: see ``MockEndpoint/manifest()``.
  var operations: [String: (name: String, kind: OperationType)] = [:]

  mutating func note(
    _ http: Graph.HTTPRequest, _ operations: [RequestedOperation]
  ) -> (request: MockRequest, queued: [MockFault]?) {
    let request = MockRequest(number: requestCount, http: http, operations: operations)
    requestCount += 1
    // Drops half at once, so that the cost per request is small.
    if requests.count == 2 * Self.limit { requests.removeFirst(Self.limit) }
    requests.append(request)
    return (request, queue.isEmpty ? nil : queue.removeFirst())
  }

  mutating func remember(_ document: CheckedDocument, for text: String) {
    if documents.count >= Self.limit { documents.removeAll() }
    documents[text] = document
    guard document.errors.isEmpty, document.document.operations.count == 1,
      let operation = document.document.operations.first, let name = operation.name
    else { return }
    operations[text] = (name, operation.operationType)
  }
}

/// A parsed document and its request errors, if it is not valid.
struct CheckedDocument: Sendable {
  let document: Document
  let errors: [ExecutionError]
}
