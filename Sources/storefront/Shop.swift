import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting
import StorefrontAPI

/// The client of the demo, and its mock endpoint inside the process.
struct Shop {
  let client: Graph.Client
  /// nil if nothing is stored in a file.
  let store: Graph.Store?
  /// nil if a real server is used.
  let embedded: MockEndpoint?

  init(_ options: Options) throws {
    func traced(_ transport: any Graph.Transport) -> any Graph.Transport {
      options.showsTrace ? TracingTransport(base: transport, screen: Screen()) : transport
    }
    // A cart that is filled offline has to outlive the program.
    store = try options.store.map {
      try Graph.Store(
        schema: Storefront.schema, file: $0,
        configuration: .init(policies: ["Cart": Graph.TypePolicy(persistence: .persistent)]))
    }
    if let url = options.endpoint {
      embedded = nil
      client = Graph.Client(
        endpoint: url, headers: options.headers,
        transport: options.isOffline ? SwitchedOff() : traced(Graph.standardTransport()),
        store: store)
      return
    }
    let bytes = Array(try Data(contentsOf: URL(filePath: options.schema)))
    let schema = try ServiceSchema.read([Source(name: options.schema, bytes: bytes)])
    let endpoint = try EmbeddedShop.endpoint(schema)
    embedded = endpoint
    // Any address is valid: the endpoint is the transport.
    client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!,
      transport: options.isOffline ? SwitchedOff() : traced(endpoint), store: store)
  }
}

extension Shop {
  /// The writes that wait for the network; nil if nothing is stored in a file.
  func writes() async throws -> OfflineWrites? {
    guard let store else { return nil }
    let outbox = try await Graph.Outbox(store: store, client: client)
    return OfflineWrites(store: store, outbox: outbox, screen: Screen())
  }
}

/// An unreachable endpoint.
private struct SwitchedOff: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    throw Graph.TransportError(.cannotConnect, message: "the endpoint is switched off")
  }
}
