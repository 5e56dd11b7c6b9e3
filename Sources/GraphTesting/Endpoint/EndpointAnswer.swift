import GraphClient
import GraphJSON
import GraphQLSchema

/// An answer before faults act on its body.
struct EndpointAnswer {
  var status: Int
  var headers: Graph.Headers
  var body: Graph.HTTPResponse.Body

  init(status: Int, contentType: String, body: Graph.HTTPResponse.Body) {
    self.status = status
    headers = ["Content-Type": contentType]
    self.body = body
  }

  init(_ answer: MockAnswer) {
    status = answer.status
    headers = answer.headers
    body = Graph.HTTPResponse.Body(answer.body)
  }

  /// A result in the media type that the request prefers. Without a status given, that is 400 for a
  /// request error in the GraphQL media type and else 200 (GraphQL over HTTP, Response).
  init(_ result: ExecutionResult, accept: String?, status: Int? = nil) {
    let accept = accept ?? "*/*"
    let isGraphQL = accept.contains("application/graphql-response+json")
    let refused = result.data == nil && isGraphQL && !result.isPersistedQueryMiss
    self.init(
      status: status ?? (refused ? 400 : 200), isGraphQL: isGraphQL, json: result.json)
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
