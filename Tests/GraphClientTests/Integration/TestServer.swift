import Foundation
import GraphClient
import Testing

/// The Python servers that `Tests/run integration` starts. Without them, tests that need them
/// are skipped.
enum TestServer {
  static let absence: Comment = "needs the Python servers; run Tests/run integration"

  static var isRunning: Bool {
    port("GRAPH_TEST_SERVER") != nil && port("GRAPH_TEST_FAULTS") != nil
  }

  /// An endpoint of the servers: `shop` (ariadne), `store` or `private/store` (strawberry).
  static func url(_ path: String) throws -> URL { try url(path, "GRAPH_TEST_SERVER") }

  /// The small schema behind the proxy, which injects `fault`.
  static func url(fault: String) throws -> URL { try url("\(fault)/store", "GRAPH_TEST_FAULTS") }

  /// The TLS server, whose certificate is for `localhost`; nil if openssl is missing.
  static var securePort: Int? { port("GRAPH_TEST_SECURE").flatMap { $0 > 0 ? $0 : nil } }

  /// The certificate of the authority that has signed the TLS server's, or of another authority.
  static func authority(_ name: String = "authority") throws -> URL {
    let path = try #require(ProcessInfo.processInfo.environment["GRAPH_TEST_AUTHORITY"])
    return URL(filePath: path).deletingLastPathComponent().appending(path: "\(name).pem")
  }

  private static func url(_ path: String, _ variable: String) throws -> URL {
    let number = try #require(Self.port(variable))
    return try #require(URL(string: "http://127.0.0.1:\(number)/\(path)/"))
  }

  private static func port(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
  }
}

extension Graph.Client {
  /// A client over URLSession that caches in memory and retries without long delays.
  static func integration(
    _ endpoint: URL, headers: Graph.Headers = [:], interceptors: [any Graph.Interceptor] = [],
    _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.MemoryStorage()
    configuration.retryPolicy.backoff.base = .milliseconds(1)
    configure(&configuration)
    var headers = headers
    headers["X-Run"] = UUID().uuidString
    return Graph.Client(
      endpoint: endpoint, headers: headers, interceptors: interceptors,
      configuration: configuration)
  }
}
