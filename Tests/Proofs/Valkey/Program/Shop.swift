import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import GraphValkey

/// A server inside the process. The name of its shop is that of its user.
struct Shop: Graph.Transport {
  let onRequest: @Sendable (_ user: String) async throws -> Void

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    let user = request.headers["Authorization"] ?? ""
    try await onRequest(user)
    let body = Array(#"{"data":{"shop":{"name":"\#(user)"}}}"#.utf8)
    return Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url,
      body: Graph.HTTPResponse.Body(body))
  }

  static func query() -> Storefront.QueryRootQuery {
    Storefront.buildQuery(named: "Shop") { $0.shop { $0.name() } }
  }

  static func client(
    _ user: String, _ storage: any Graph.ResponseStorage, _ policy: Graph.CachePolicy,
    timeout: Duration? = nil, onRequest: @escaping @Sendable (String) async throws -> Void
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.storage = storage
    configuration.timeout = timeout
    guard let endpoint = URL(string: "https://shop.example/graphql") else { fail("no address") }
    return Graph.Client(
      endpoint: endpoint, headers: ["Authorization": user], transport: Shop(onRequest: onRequest),
      cachePolicy: policy, configuration: configuration)
  }
}

func connect(
  _ server: Graph.ValkeyConfiguration.Topology, timeout: Duration
) throws -> Graph.Valkey {
  var configuration = Graph.ValkeyConfiguration(server, namespace: "proof")
  configuration.timeout = timeout
  return try Graph.Valkey(configuration)
}
