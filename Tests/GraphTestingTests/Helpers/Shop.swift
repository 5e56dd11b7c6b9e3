import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting

/// The example storefront as an endpoint, and requests to it.
enum Shop {
  static let url = URL(string: "https://shop.example/graphql")!

  static let schema: ServiceSchema = {
    let file = URL(filePath: #filePath).appending(path: "../../../../schema.graphql")
      .standardizedFileURL
    do {
      return try ServiceSchema(
        sources: [Source(name: "schema.graphql", bytes: Array(Data(contentsOf: file)))])
    } catch {
      fatalError("\(file.path): \(error)")
    }
  }()

  static func request(
    _ body: JSON, accept: String = "application/graphql-response+json, application/json;q=0.9"
  ) -> Graph.HTTPRequest {
    Graph.HTTPRequest(
      url: url, headers: ["Content-Type": "application/json", "Accept": accept],
      body: .bytes(Array(body.description.utf8)))
  }

  static func request(_ query: String, _ variables: JSON = [:]) -> Graph.HTTPRequest {
    request(["query": .string(query), "variables": variables])
  }
}

extension MockEndpoint {
  /// The response to a query.
  func json(_ query: String, _ variables: JSON = [:]) async throws -> JSON {
    try await send(Shop.request(query, variables)).json
  }

  /// The data of a query's response.
  func data(_ query: String, _ variables: JSON = [:]) async throws -> JSON {
    try await json(query, variables)["data"] ?? .null
  }
}

extension Graph.HTTPResponse {
  var bytes: [UInt8] {
    get async throws {
      var bytes: [UInt8] = []
      for try await piece in body { bytes += piece }
      return bytes
    }
  }

  var text: String { get async throws { String(decoding: try await bytes, as: UTF8.self) } }

  var json: JSON { get async throws { try JSON(parsing: try await bytes) } }
}

extension JSON {
  /// The value at a response path; nil if there is none.
  func at(_ path: ResponsePath) -> JSON? {
    var value: JSON = self
    for element in path.elements {
      switch (value, element) {
      case (.object(let object), .name(let name)):
        guard let member = object[name] else { return nil }
        value = member
      case (.array(let items), .index(let index)):
        guard items.indices.contains(index) else { return nil }
        value = items[index]
      default: return nil
      }
    }
    return value
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var count: Int? {
    if case .array(let items) = self { items.count } else { nil }
  }
}
