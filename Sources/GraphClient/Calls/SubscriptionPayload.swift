import GraphJSON
import GraphQLRuntime

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
          () throws(GraphQL.ResponseFailure) in try request.reader.read(bytes)
        }
      } catch {
        throw QueryError(error, FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}
