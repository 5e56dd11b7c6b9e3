import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema

extension MockEndpoint {
  func subscribe(
    _ document: Document, _ request: RequestedOperation, _ format: EventFormat?, _ accept: String?,
    _ plan: FaultPlan, _ wait: MockWait
  ) async throws -> EndpointResponse {
    guard let format, features.contains(.subscriptions) else {
      let error = ExecutionError("A subscription requires text/event-stream or multipart/mixed.")
      return EndpointResponse(ExecutionResult(requestErrors: [error]), accept: accept, status: 406)
    }
    do throws(SubscriptionFailure) {
      let results = try await executor(plan).subscribe(
        document, operationName: request.operationName, variables: request.variables)
      let events = EventBody(
        results: results, format: format, plan: plan, interval: service.options.eventInterval,
        wait: wait)
      return EndpointResponse(status: 200, contentType: format.contentType, body: events.body)
    } catch {
      return EndpointResponse(error.result, accept: accept)
    }
  }
}

/// The body of a subscription's response.
private struct EventBody: Sendable {
  let results: ResponseStream
  let format: EventFormat
  let plan: FaultPlan
  let interval: Duration
  let wait: MockWait

  var body: Graph.HTTPResponse.Body {
    Graph.HTTPResponse.Body(
      PieceStream {
        var reader = Reader(events: self, results: results.makeAsyncIterator(), wait: wait)
        return { try await reader.next() }
      })
  }

  private struct Reader {
    let events: EventBody
    var results: ResponseStream.AsyncIterator
    var wait: MockWait
    var isFinished = false

    mutating func next() async throws -> [UInt8]? {
      if isFinished { return nil }
      try await wait.pause(events.interval)
      let next: ExecutionResult?
      do {
        next = try await results.next()
      } catch {
        isFinished = true
        return events.format.end(error as? ExecutionError ?? ExecutionError("\(error)"))
      }
      // A source of events ends when its task is cancelled, which is not the end of the events.
      if Task.isCancelled { throw Graph.TransportError.cancelled }
      guard var result = next else {
        isFinished = true
        return events.format.end(nil)
      }
      try events.plan.checkErrors(in: [result])
      try events.plan.violate(&result)
      return events.format.piece(result)
    }
  }
}

/// The format of a subscription's results in one HTTP response.
enum EventFormat: Sendable {
  /// Server-sent events, one connection per operation.
  case serverSentEvents
  /// `multipart/mixed` with a result per part.
  case multipart

  /// The format that a request accepts.
  init?(accept: String) {
    if accept.contains("text/event-stream") {
      self = .serverSentEvents
    } else if accept.contains("multipart/mixed") {
      self = .multipart
    } else {
      return nil
    }
  }

  var contentType: String {
    switch self {
    case .serverSentEvents: "text/event-stream; charset=utf-8"
    case .multipart: "multipart/mixed; boundary=\"graphql\"; subscriptionSpec=\"1.0\""
    }
  }

  func piece(_ result: ExecutionResult) -> [UInt8] {
    switch self {
    case .serverSentEvents: Array("event: next\ndata: \(result.json)\n\n".utf8)
    case .multipart: part(["payload": result.json])
    }
  }

  /// The end, with the reason if the stream failed.
  func end(_ failure: ExecutionError?) -> [UInt8] {
    switch self {
    case .serverSentEvents:
      let last = failure.map { piece(ExecutionResult(requestErrors: [$0])) } ?? []
      return last + Array("event: complete\ndata:\n\n".utf8)
    case .multipart:
      let last = failure.map { part(["payload": nil, "errors": [$0.json]]) } ?? []
      return last + Array("\r\n--graphql--\r\n".utf8)
    }
  }

  private func part(_ json: JSON) -> [UInt8] {
    Array("\r\n--graphql\r\nContent-Type: application/json\r\n\r\n\(json)".utf8)
  }
}
