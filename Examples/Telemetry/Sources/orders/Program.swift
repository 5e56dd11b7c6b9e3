import FlyingFox
import Foundation
import GraphClient
import GraphQLRuntime
import GraphTelemetry
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import ShopAPI
import Tracing

/// A service in front of a shop: `GET /hat/ID` asks the shop, `GET /metrics` is for Prometheus, and `GET /adapters`
/// shows what the three adapters have passed on.
///
/// `SHOP_URL` is the address of the shop, `OTEL_EXPORTER_OTLP_ENDPOINT` that of a collector, and `PORT` that of the
/// service.
@main
struct Program {
  static func main() async throws {
    let environment = ProcessInfo.processInfo.environment
    guard let shop = environment["SHOP_URL"].flatMap(URL.init) else {
      print("orders: SHOP_URL is missing, the address of the shop")
      exit(64)
    }
    // A service passes a real backend to each of these.
    let (counters, tracer) = (TestMetrics(), InMemoryTracer())
    MetricsSystem.bootstrap(counters)
    InstrumentationSystem.bootstrap(tracer)

    let metrics = Graph.Metrics()
    var configuration = Graph.ClientConfiguration()
    configuration.observers = [
      Graph.JSONLog(.steps), metrics, LoggingObserver(logger: Logger(label: "orders")),
      MetricsObserver(), TracingObserver(),
    ]
    let collector = environment["OTEL_EXPORTER_OTLP_ENDPOINT"].flatMap(URL.init)
    let exporter = collector.map { Graph.TraceExporter(collector: $0, service: "orders") }
    if let exporter { configuration.observers.append(exporter) }
    configuration.storage = Graph.MemoryStorage()
    let orders = Orders(
      client: Graph.Client(
        endpoint: shop, cachePolicy: .cacheFirst(expireIn: 60), configuration: configuration))

    let server = HTTPServer(port: environment["PORT"].flatMap(UInt16.init) ?? 8080)
    await server.appendRoute("GET /metrics") { _ in
      HTTPResponse(
        statusCode: .ok, headers: [.contentType: Graph.Metrics.contentType],
        body: Data(metrics.text().utf8))
    }
    await server.appendRoute("GET /adapters") { _ in
      let reads = counters.counterTotal(label: "graphql_cache_reads")
      let spans = tracer.finishedSpans.map(\.operationName)
      return HTTPResponse(
        statusCode: .ok,
        body: Data("cache reads \(reads)\nspans \(spans.joined(separator: " "))\n".utf8))
    }
    await server.appendRoute("GET /flush") { _ in
      await exporter?.flush()
      return HTTPResponse(statusCode: .ok)
    }
    await server.appendRoute("GET /hat/*") { request in
      // The calls of a request are part of the trace of its caller.
      let context = Graph.TraceContext(
        traceparent: request.headers[HTTPHeader("traceparent")],
        tracestate: request.headers[HTTPHeader("tracestate")])
      return await Graph.TraceContext.$current.withValue(context) {
        await orders.hat(request.path.split(separator: "/").last.map(String.init) ?? "")
      }
    }
    try await server.run()
  }
}

/// What all requests share.
struct Orders: Sendable {
  let client: Graph.Client

  func hat(_ id: String) async -> HTTPResponse {
    let query = Shop.buildQuery(named: "Hat") {
      $0.hat(id: GraphQL.ID(rawValue: id)) { $0.title().price() }
    }
    do {
      guard let hat = try await client.query(query).requireData().hat else {
        return HTTPResponse(statusCode: .notFound)
      }
      return HTTPResponse(statusCode: .ok, body: Data("\(hat.title): \(hat.price)\n".utf8))
    } catch {
      return HTTPResponse(statusCode: .badGateway)
    }
  }
}
