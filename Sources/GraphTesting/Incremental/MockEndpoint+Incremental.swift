import GraphClient
import GraphQLExecution
import GraphQLSchema

extension MockEndpoint {
  /// The response in parts, if the operation selects that and the client accepts it.
  func incrementalResponse(
    _ result: ExecutionResult, to request: RequestedOperation, _ document: Document,
    _ format: EventFormat?, _ wait: MockWait
  ) -> EndpointResponse? {
    guard format == .multipart, features.contains(.incrementalDelivery),
      let operation = try? DocumentExecutor.operation(in: document, named: request.operationName),
      let parted = PartedResult(
        result, of: operation, in: document, schema: schema, variables: request.variables)
    else { return nil }
    let pieces = service.options.incrementalForm.payloads(of: parted).map(IncrementalForm.piece)
    let interval = service.options.eventInterval
    let body = PieceStream {
      var rest = (pieces + [IncrementalForm.end])[...]
      var wait = wait
      return {
        guard let piece = rest.popFirst() else { return nil }
        if rest.count < pieces.count { try await wait.pause(interval) }
        return piece
      }
    }
    return EndpointResponse(
      status: 200, contentType: IncrementalForm.contentType, body: Graph.HTTPResponse.Body(body))
  }
}
