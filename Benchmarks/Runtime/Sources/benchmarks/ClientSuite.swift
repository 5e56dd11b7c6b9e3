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

/// The client's overhead for a request: over loopback compared with URLSession alone, which sends
/// the same bytes and receives the same without reading them, and with the endpoint inside the
/// process.
enum ClientSuite {
  /// A query of one object.
  static func small() throws -> Suite {
    try loopback(
      "A small request over loopback",
      query: { worker in
        Storefront.buildQuery(named: "Small\(worker)") {
          $0.shop { $0.id().name().description().currencyCode() }
        }
      },
      response: Array(
        #"""
        {"data":{"shop":{"id":"gid://feathers/Shop/1","name":"Feathers & Co",
        "description":"Hats for every weather.","currencyCode":"EUR"}}}
        """#.utf8), width: 1)
  }

  /// A page of products.
  static func listing(byteCount: Int, width: Int, clock: Clock = .wall) throws -> Suite {
    try loopback(
      "A listing of \(byteCount / 1000) KB over loopback, \(width) at a time\(clock.suffix)",
      query: { Listing.query(first: 200 + $0) },
      response: Listing(byteCount: byteCount).bytes, width: width, clock: clock)
  }

  /// The measured quantity.
  enum Clock {
    /// The duration. Half of it is the time for threads to wake each other, which varies between
    /// runs on a virtual processor.
    case wall
    /// The processor time, including the server, which does the same for all.
    case processor

    fileprivate var suffix: String {
      switch self {
      case .wall: ""
      case .processor: ", processor time"
      }
    }

    /// Seconds since some point in time.
    // Safe: the clock fills a local variable of the type that it expects.
    var now: Double {
      var time = timespec()
      switch self {
      case .wall: unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      case .processor: unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      }
      return time.seconds
    }
  }

  /// - Parameters:
  ///   - query: the query of a worker; each uses another one, so that no two share a response.
  ///   - width: the number of workers, each with one request in progress.
  private static func loopback(
    _ name: String, query: @escaping @Sendable (Int) -> Storefront.QueryRootQuery,
    response: [UInt8],
    width: Int, clock: Clock = .wall
  ) throws -> Suite {
    let server = try ConstantServer(body: response)
    let url = server.url
    let transport = Graph.URLSessionTransport()
    let client = Graph.Client(endpoint: url, transport: transport)
    let http = try request(to: url) { query(0) }
    let bare = BareSession(http, of: server)
    return Suite(
      name: name, unit: .time,
      rows: [
        Suite.Row(name: "URLSession: bytes", isReference: true) {
          try secondsPerRequest(width: width, clock) { _ in use(try await bare.bytes()) }
        },
        Suite.Row(name: "URLSessionTransport: bytes") {
          try secondsPerRequest(width: width, clock) { _ in
            for try await chunk in try await transport.send(http).body { use(chunk) }
          }
        },
        Suite.Row(name: "no network: built and read") {
          try secondsPerRequest(width: width, clock) { worker in
            use(try query(worker).operation().response(from: response).data)
          }
        },
        Suite.Row(name: "Graph.Client: built, sent and read") {
          try secondsPerRequest(width: width, clock) { worker in
            use(try await client.query(query(worker)).data)
          }
        },
      ])
  }

  static func endpoint() throws -> Suite {
    let schema = try ServiceSchema.read([
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
      body: try request(to: url, of: query).body)
    return Suite(
      name: "A request to the mock endpoint", unit: .time,
      rows: [
        Suite.Row(name: "MockEndpoint: bytes", isReference: true) {
          try secondsPerRequest(width: 1, .wall) { _ in use(try await endpoint.send(http)) }
        },
        Suite.Row(name: "Graph.Client over MockEndpoint") {
          try secondsPerRequest(width: 1, .wall) { _ in use(try await client.query(query()).data) }
        },
      ])
  }

  /// schema.json of the repository.
  static let schemaFile = URL(filePath: #filePath)
    .appending(path: "../../../../../schema.json").standardizedFileURL

  /// The request of a client for a query.
  private static func request(
    to url: URL, of query: @escaping @Sendable () -> Storefront.QueryRootQuery
  ) throws -> Graph.HTTPRequest {
    let recorder = Recorder()
    let client = Graph.Client(endpoint: url, transport: recorder)
    _ = try? waiting { _ = try await client.query(query()) }
    guard let request = recorder.request.withLock({ $0 }) else { throw CancellationError() }
    return request
  }
}

/// Keeps the request instead of sending it.
private final class Recorder: Graph.Transport {
  let request = Locked<Graph.HTTPRequest?>(nil)

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    self.request.withLock { $0 = request }
    throw Graph.TransportError(.unsupported, message: "nothing is sent")
  }
}

/// URLSession without a client: creates a request itself, and receives the whole body.
private struct BareSession: Sendable {
  private let session = URLSession(configuration: .ephemeral)
  private let http: Graph.HTTPRequest
  /// The server, which responds as long as it exists.
  private let server: ConstantServer

  init(_ http: Graph.HTTPRequest, of server: ConstantServer) {
    self.http = http
    self.server = server
  }

  func bytes() async throws -> Data {
    var request = URLRequest(url: http.url)
    request.httpMethod = http.method.rawValue
    for field in http.headers.fields {
      request.setValue(field.value, forHTTPHeaderField: field.name)
    }
    if case .bytes(let bytes) = http.body { request.httpBody = Data(bytes) }
    return try await withCheckedThrowingContinuation { continuation in
      session.dataTask(with: request) { data, _, error in
        continuation.resume(with: Result { if let error { throw error } else { data ?? Data() } })
      }.resume()
    }
  }
}

extension ClientSuite {
  /// Seconds per request, by `width` workers.
  static func secondsPerRequest(
    count: Int = 300, width: Int, _ clock: Clock,
    _ body: @escaping @Sendable (_ worker: Int) async throws -> Void
  ) throws -> Double {
    try waiting {
      let start = clock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<width {
          group.addTask { for _ in 0..<count / width { try await body(worker) } }
        }
        try await group.waitForAll()
      }
      return (clock.now - start) / Double(count)
    }
  }
}

/// The result of `body`, for which this thread waits.
private func waiting<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let outcome = Locked<Result<Value, any Error>>(.failure(CancellationError()))
  let done = DispatchSemaphore(value: 0)
  Task {
    do {
      let value = try await body()
      outcome.withLock { $0 = .success(value) }
    } catch {
      outcome.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  done.wait()
  return try outcome.withLock { $0 }.get()
}
