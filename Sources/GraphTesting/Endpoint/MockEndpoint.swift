public import GraphClient
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
