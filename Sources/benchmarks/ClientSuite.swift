import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphQLSchema
import GraphTesting
import StorefrontAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the client adds to a request: over loopback beside URLSession alone, which sends the same
/// bytes and reads none, and through the endpoint inside the process.
enum ClientSuite {
  /// A query of one object.
  static func small() throws -> Suite {
    try loopback(
      "A small request over loopback",
      query: {
        Storefront.buildQuery { $0.shop { $0.id().name().description().currencyCode() } }
      },
      answer: Array(
        #"""
        {"data":{"shop":{"id":"gid://feathers/Shop/1","name":"Feathers & Co",
        "description":"Hats for every weather.","currencyCode":"EUR"}}}
        """#.utf8), width: 1)
  }

  /// A page of products.
  static func listing(byteCount: Int, width: Int) throws -> Suite {
    try loopback(
      "A listing of \(byteCount / 1000) KB over loopback, \(width) at a time",
      query: { Listing.query }, answer: Listing(byteCount: byteCount).bytes, width: width)
  }

  /// - Parameter width: how many requests are on their way at the same time.
  private static func loopback(
    _ name: String, query: @escaping @Sendable () -> Storefront.QueryRootQuery, answer: [UInt8],
    width: Int
  ) throws -> Suite {
    let url = try LoopbackServer.start(body: answer)
    let bare = BareSession(url, body: body(of: try query().operation()))
    let transport = Graph.URLSessionTransport()
    let request = bare.request
    let http = Graph.HTTPRequest(
      url: url, headers: ["Content-Type": "application/json"],
      body: .bytes(Array(request.httpBody ?? Data())), timeout: .seconds(60))
    var configuration = Graph.ClientConfiguration()
    // Otherwise those that are on their way at the same time would be one.
    configuration.sharesEqualQueries = false
    let client = Graph.Client(
      endpoint: url, transport: transport, configuration: configuration)
    return Suite(
      name: name, unit: .time,
      rows: [
        Suite.Row(name: "URLSession: bytes", isReference: true) {
          try secondsPerRequest(width: width) { _ = try await bare.bytes() }
        },
        Suite.Row(name: "URLSessionTransport: bytes") {
          try secondsPerRequest(width: width) {
            for try await chunk in try await transport.send(http).body { use(chunk) }
          }
        },
        Suite.Row(name: "no network: built and read") {
          try secondsPerRequest(width: width) {
            use(try query().operation().response(from: answer).data)
          }
        },
        Suite.Row(name: "Graph.Client: built, sent and read") {
          try secondsPerRequest(width: width) { use(try await client.query(query()).data) }
        },
      ])
  }

  static func endpoint() throws -> Suite {
    let schema = try Schema.read([
      Source(name: "schema.json", bytes: Array(Data(contentsOf: schemaFile)))
    ])
    let endpoint = try MockEndpoint(schema: schema)
    let url = URL(string: "https://shop.example/graphql")!
    let client = Graph.Client(endpoint: url, transport: endpoint)
    let query: @Sendable () -> Storefront.QueryRootQuery = {
      Storefront.buildQuery {
        $0.shop { $0.name() }.products(first: 3) { $0.nodes { $0.id().title() } }
      }
    }
    let http = Graph.HTTPRequest(
      url: url,
      headers: ["Content-Type": "application/json", "Accept": "application/graphql-response+json"],
      body: .bytes(body(of: try query().operation())))
    return Suite(
      name: "A request to the mock endpoint", unit: .time,
      rows: [
        Suite.Row(name: "MockEndpoint: bytes", isReference: true) {
          try secondsPerRequest(width: 1) { use(try await endpoint.send(http)) }
        },
        Suite.Row(name: "Graph.Client over MockEndpoint") {
          try secondsPerRequest(width: 1) { use(try await client.query(query()).data) }
        },
      ])
  }

  private static let schemaFile = URL(filePath: #filePath)
    .appending(path: "../../../schema.json").standardizedFileURL

  private static func body<Root>(of operation: GraphQL.Operation<Root>) -> [UInt8] {
    var writer = JSONWriter()
    var body: JSONObject = ["query": .string(operation.document)]
    body["operationName"] = operation.name.map(JSON.string)
    body["variables"] = try? JSON(parsing: operation.variables)
    writer.value(.object(body))
    return writer.finish()
  }
}

/// URLSession as one would use it without a client.
private struct BareSession: Sendable {
  let session = URLSession(configuration: .ephemeral)
  let request: URLRequest

  init(_ url: URL, body: [UInt8]) {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body)
    self.request = request
  }

  func bytes() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      session.dataTask(with: request) { data, _, error in
        continuation.resume(with: Result { if let error { throw error } else { data ?? Data() } })
      }.resume()
    }
  }
}

/// Seconds on the clock per request, of 300, `width` at a time. A request is waited for, so the
/// processor's time would not say how long.
private func secondsPerRequest(
  width: Int, _ body: @escaping @Sendable () async throws -> Void
) throws -> Double {
  let count = 300
  let outcome = Outcome()
  let done = DispatchSemaphore(value: 0)
  Task {
    let start = ContinuousClock.now
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<width {
          group.addTask { for _ in 0..<count / width { try await body() } }
        }
        try await group.waitForAll()
      }
      outcome.set(.success((ContinuousClock.now - start) / count / .seconds(1)))
    } catch {
      outcome.set(.failure(error))
    }
    done.signal()
  }
  done.wait()
  return try outcome.value.get()
}

/// What a task hands to the thread that waits for it.
private final class Outcome: Sendable {
  private let result = Locked<Result<Double, any Error>>(.failure(CancellationError()))

  var value: Result<Double, any Error> { result.withLock { $0 } }
  func set(_ value: Result<Double, any Error>) { result.withLock { $0 = value } }
}
