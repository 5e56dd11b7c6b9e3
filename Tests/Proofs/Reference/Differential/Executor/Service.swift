import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting

/// An endpoint whose fields are all resolved by ``PathResolver``. It gets requests as a client
/// sends them.
struct Service {
  private let endpoint: MockEndpoint

  init(_ schema: ServiceSchema) throws {
    let resolver = PathResolver()
    var resolvers = ResolverTable()
    for case .object(let type) in schema.types {
      for field in type.fields { resolvers[type.name, field.name] = resolver.resolve }
    }
    for field in schema.rootType(for: .subscription)?.fields.elements ?? [] {
      resolvers[eventsOf: field.name] = resolver.subscribe
    }
    endpoint = try MockEndpoint(schema: schema, resolvers: resolvers)
  }

  /// The `status` and media `type` of the response and, up to its first event, the `response`.
  func response(to request: JSON) async throws -> JSON.Object {
    var body = JSON.Object()
    body["query"] = request["document"]
    for key in ["variables", "operationName"] { body[key] = request[key] }
    let response = try await endpoint.send(
      Graph.HTTPRequest(
        url: URL(fileURLWithPath: "/graphql"),
        headers: [
          "Content-Type": "application/json",
          "Accept": "application/graphql-response+json, text/event-stream",
        ],
        body: .bytes(Array(JSON.object(body).description.utf8))))
    var text = ""
    for try await piece in response.body { text += String(decoding: piece, as: UTF8.self) }
    let type = response.headers["Content-Type"]?.split(separator: ";").first.map(String.init) ?? ""
    if type == "text/event-stream" {
      let data = text.split(separator: "\n").first { $0.hasPrefix("data: ") }
      text = String(data?.dropFirst(6) ?? "")
    }
    return [
      "status": JSON(response.status), "type": .string(type),
      "response": try JSON(parsing: Array(text.utf8)),
    ]
  }
}
