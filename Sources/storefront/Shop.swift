import Foundation
import GraphClient
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting
import StorefrontAPI

/// The client of the demonstration, and the endpoint inside the process that answers it.
struct Shop {
  let client: Graph.Client
  /// nil when a real server is asked.
  let embedded: MockEndpoint?

  init(_ options: Options) throws {
    let interceptors: [any Graph.Interceptor] = options.showsTrace ? [Trace()] : []
    let models: any GraphQL.ModelManager =
      if let file = options.store {
        try Store(schema: Storefront.schema, file: file)
      } else {
        GraphQL.NoModelManager()
      }
    if let url = options.endpoint {
      embedded = nil
      client = Graph.Client(
        endpoint: url, headers: options.headers,
        transport: options.isOffline ? SwitchedOff() : nil, interceptors: interceptors,
        modelManager: models)
      return
    }
    let bytes = Array(try Data(contentsOf: URL(filePath: options.schema)))
    let schema = try Schema.read([Source(name: options.schema, bytes: bytes)])
    let endpoint = try EmbeddedShop.endpoint(schema)
    embedded = endpoint
    // Any address will do: the endpoint is the transport.
    client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!,
      transport: options.isOffline ? SwitchedOff() : endpoint, interceptors: interceptors,
      modelManager: models)
  }
}

/// An endpoint that nobody reaches.
private struct SwitchedOff: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    throw Graph.TransportError(.cannotConnect, message: "the endpoint is switched off")
  }
}

/// Prints each operation as it is sent, and how it was answered.
private struct Trace: Graph.Interceptor {
  func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    print("    > \(request.document)")
    print("    > \(String(decoding: request.variables, as: UTF8.self))")
    let response = try await next(request)
    print("    < \(response.status), \(response.reasons.count) errors")
    return response
  }
}
