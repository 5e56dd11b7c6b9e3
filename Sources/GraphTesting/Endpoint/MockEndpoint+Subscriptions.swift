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
      try events.plan.violate(&result)
      return events.format.piece(result)
    }
  }
}
