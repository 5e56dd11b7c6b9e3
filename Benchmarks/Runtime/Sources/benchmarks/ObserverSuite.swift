import Foundation
import GraphClient
import GraphQLRuntime
import GraphTelemetry
import StorefrontAPI

/// The cost of observers, in calls without a network: a transport that has the response at once, or the cache.
enum ObserverSuite {
  private static let response = Array(#"{"data":{"shop":{"name":"Feathers & Co"}}}"#.utf8)

  static func suite(cached: Bool) throws -> Suite {
    let row = { (name: String, isReference: Bool, observers: [any Graph.Observer]) in
      let client = client(observers, cached: cached)
      return Suite.Row(name: name, isReference: isReference) {
        try ClientSuite.secondsPerRequest(count: 10_000, width: 1, .processor) { _ in
          use(try await client.query(query).data)
        }
      }
    }
    return Suite(
      name: cached ? "A response from the cache in memory" : "A call without a network",
      unit: .time,
      rows: [
        row("no observer", true, []),
        row("an observer that does nothing", false, [Ignoring()]),
        row("JSONLog of calls", false, [Graph.JSONLog(.calls) { _ in }]),
        row("Metrics", false, [Graph.Metrics()]),
        row("TraceExporter", false, [exporter]),
      ])
  }

  private static var query: Storefront.QueryRootQuery {
    Storefront.buildQuery(named: "Shop") { $0.shop { $0.name() } }
  }

  private static func client(_ observers: [any Graph.Observer], cached: Bool) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.observers = observers
    configuration.storage = Graph.MemoryStorage()
    return Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: Constant(bytes: response),
      cachePolicy: cached ? .cacheFirst : .networkOnly, configuration: configuration)
  }

  private static var exporter: Graph.TraceExporter {
    Graph.TraceExporter(
      collector: URL(string: "http://localhost:4318")!, service: "benchmarks",
      transport: Constant(bytes: Array("{}".utf8)))
  }

  private struct Ignoring: Graph.Observer {
    func observe(_ event: Graph.ObservedEvent) {}
  }

  private struct Constant: Graph.Transport {
    let bytes: [UInt8]

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], url: request.url,
        body: .init(bytes))
    }
  }
}
