import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema

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
