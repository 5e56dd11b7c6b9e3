import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema

extension MockEndpoint {
  func response(
    _ contents: RequestReader.Contents, to http: Graph.HTTPRequest, _ plan: FaultPlan,
    _ wait: MockWait
  ) async throws -> EndpointResponse {
    let accept = http.headers["accept"]
    if let result = plan.requestErrors {
      return contents.isBatch
        ? EndpointResponse(batch: contents.operations.map { _ in result })
        : EndpointResponse(result, accept: accept, status: 200)
    }
    guard contents.isBatch else {
      return try await response(contents.operations[0], to: http, plan, wait)
    }
    guard features.contains(.batching) else {
      return EndpointResponse(
        ExecutionResult(requestErrors: [ExecutionError("Batches are not supported.")]),
        accept: accept, status: 400)
    }
    var results: [ExecutionResult] = []
    for operation in contents.operations {
      switch prepared(operation) {
      case .failure(let refusal): results.append(ExecutionResult(requestErrors: refusal.errors))
      case .success(let document):
        results.append(try await execute(document, operation, plan))
      }
    }
    try plan.checkErrors(in: results)
    return EndpointResponse(batch: results)
  }

  private func response(
    _ request: RequestedOperation, to http: Graph.HTTPRequest, _ plan: FaultPlan, _ wait: MockWait
  ) async throws -> EndpointResponse {
    let accept = http.headers["accept"]
    let document: Document
    switch prepared(request) {
    case .failure(let refusal):
      return EndpointResponse(
        ExecutionResult(requestErrors: refusal.errors), accept: accept, status: refusal.status)
    case .success(let valid): document = valid
    }
    let operation = try? DocumentExecutor.operation(in: document, named: request.operationName)
    if http.method == .get, let operation, operation.operationType != .query {
      return EndpointResponse(
        ExecutionResult(requestErrors: [ExecutionError("GET is allowed for queries only.")]),
        accept: accept, status: 405)
    }
    let format = EventFormat(accept: accept ?? "")
    if operation?.operationType == .subscription {
      return try await subscribe(document, request, format, accept, plan, wait.onStream(of: http))
    }
    let result = try await execute(document, request, plan)
    try plan.checkErrors(in: [result])
    let parts = incrementalResponse(result, to: request, document, format, wait.onStream(of: http))
    if let parts { return parts }
    // A result in an event stream is one event.
    if format == .serverSentEvents, accept?.contains("json") != true {
      return EndpointResponse(
        status: 200, contentType: EventFormat.serverSentEvents.contentType,
        body: Graph.HTTPResponse.Body(
          EventFormat.serverSentEvents.piece(result) + EventFormat.serverSentEvents.end(nil)))
    }
    return EndpointResponse(result, accept: accept)
  }

  private func execute(
    _ document: Document, _ request: RequestedOperation, _ plan: FaultPlan
  ) async throws -> ExecutionResult {
    let operation = try? DocumentExecutor.operation(in: document, named: request.operationName)
    let directives = operation.map {
      DirectiveArguments(operation: $0, variables: request.variables)
    }
    var result = await executor(plan, directives).execute(
      document, operationName: request.operationName, variables: request.variables)
    if Task.isCancelled { throw Graph.TransportError.cancelled }
    try plan.violate(&result)
    return result
  }

  func executor(
    _ plan: FaultPlan, _ directives: DirectiveArguments? = nil
  ) -> DocumentExecutor {
    DocumentExecutor(
      schema: schema,
      resolver: MockResolver(
        service: service, errors: plan.errors,
        directives: features.contains(.incrementalDelivery) ? directives : nil))
  }

  // MARK: Documents

  /// Why a request is not executed.
  struct Refusal: Error {
    let errors: [ExecutionError]
    var status: Int?

    init(_ errors: [ExecutionError], status: Int? = nil) {
      self.errors = errors
      self.status = status
    }
  }

  /// The valid document that a request contains or names by its hash.
  private func prepared(_ request: RequestedOperation) -> Result<Document, Refusal> {
    Result { () throws(Refusal) in
      let checked = checked(try text(of: request))
      if !checked.errors.isEmpty { throw Refusal(checked.errors) }
      return checked.document
    }
  }

  private func checked(_ text: String) -> CheckedDocument {
    if let known = state.withLock({ $0.documents[text] }) { return known }
    let checked: CheckedDocument
    do throws(Diagnostics) {
      let document = try Document(parsing: Source(name: "request", text: text))
      let errors = document.validate(against: schema).map { ExecutionError($0) }
      checked = CheckedDocument(document: document, errors: errors)
    } catch {
      checked = CheckedDocument(
        document: Document(definitions: []), errors: error.elements.map { ExecutionError($0) })
    }
    state.withLock { $0.remember(checked, for: text) }
    return checked
  }

  /// The document's text; by its hash, if it is not sent (automatic persisted queries).
  private func text(of request: RequestedOperation) throws(Refusal) -> String {
    if let id = request.documentID {
      let hash = id.hasPrefix("sha256:") ? String(id.dropFirst("sha256:".count)) : id
      guard let text = state.withLock({ $0.persisted[hash] }) else {
        throw Refusal([.persistedQueryNotFound])
      }
      return text
    }
    guard let persisted = request.extensions["persistedQuery"] else {
      if let text = request.document { return text }
      throw Refusal([ExecutionError("The request has no `query`.")], status: 400)
    }
    guard features.contains(.persistedQueries) else { throw Refusal([.persistedQueryNotSupported]) }
    guard let hash = persisted["sha256Hash"]?.text, persisted["version"] == 1 else {
      throw Refusal([ExecutionError("`persistedQuery` has no hash of version 1.")], status: 400)
    }
    if let text = request.document {
      guard SHA256.hexDigest(text) == hash else {
        throw Refusal([ExecutionError("provided sha does not match query")], status: 400)
      }
      state.withLock { $0.persisted[hash] = text }
      return text
    }
    guard let text = state.withLock({ $0.persisted[hash] }) else {
      throw Refusal([.persistedQueryNotFound])
    }
    return text
  }
}

extension ExecutionError {
  static var persistedQueryNotFound: ExecutionError {
    ExecutionError("PersistedQueryNotFound", extensions: ["code": "PERSISTED_QUERY_NOT_FOUND"])
  }

  static var persistedQueryNotSupported: ExecutionError {
    ExecutionError(
      "PersistedQueryNotSupported", extensions: ["code": "PERSISTED_QUERY_NOT_SUPPORTED"])
  }
}

extension ExecutionResult {
  /// Whether the client should send the document; servers respond with 200 in that case.
  var isPersistedQueryMiss: Bool {
    errors.first == .persistedQueryNotFound || errors.first == .persistedQueryNotSupported
  }
}

/// A response before faults change its body.
struct EndpointResponse {
  var status: Int
  var headers: Graph.Headers
  var body: Graph.HTTPResponse.Body

  init(status: Int, contentType: String, body: Graph.HTTPResponse.Body) {
    self.status = status
    headers = ["Content-Type": contentType]
    self.body = body
  }

  init(_ response: MockResponse) {
    status = response.status
    headers = response.headers
    body = Graph.HTTPResponse.Body(response.body)
  }

  /// A result in the media type that the request prefers. In the GraphQL media type the status,
  /// unless given, is 400 for a request error and 294 for data with errors; otherwise it is 200
  /// (GraphQL over HTTP, Response).
  init(_ result: ExecutionResult, accept: String?, status: Int? = nil) {
    let accept = accept ?? "*/*"
    let isGraphQL = accept.contains("application/graphql-response+json")
    let usual =
      switch (result.data, isGraphQL) {
      case (_, false): 200
      case (nil, true): result.isPersistedQueryMiss ? 200 : 400
      case (_?, true): result.errors.isEmpty ? 200 : 294
      }
    self.init(status: status ?? usual, isGraphQL: isGraphQL, json: result.json)
  }

  init(batch results: [ExecutionResult]) {
    self.init(status: 200, isGraphQL: false, json: .array(results.map(\.json)))
  }

  private init(status: Int, isGraphQL: Bool, json: JSON) {
    var writer = JSONWriter()
    writer.value(json)
    self.init(
      status: status,
      contentType: (isGraphQL ? "application/graphql-response+json" : "application/json")
        + "; charset=utf-8",
      body: Graph.HTTPResponse.Body(writer.finish()))
  }
}
