import Foundation
import GraphJSON
import GraphQLRuntime

@testable import GraphClient

/// A transport in memory whose responses the test determines.
/// GraphCompatibilityTests uses it as well.
final class ScriptedTransport: Graph.Transport {
  typealias Response = @Sendable (Graph.HTTPRequest) async throws -> Graph.HTTPResponse

  private let response: Response
  private let seen = Locked<[Graph.HTTPRequest]>([])
  let additionalHeaders: Graph.Headers

  init(additionalHeaders: Graph.Headers = [:], _ response: @escaping Response) {
    self.additionalHeaders = additionalHeaders
    self.response = response
  }

  /// Returns one response after the other, and repeats the last one.
  convenience init(_ responses: Graph.HTTPResponse...) {
    let rest = Box(responses)
    self.init { _ in
      rest.update { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
  }

  var requests: [Graph.HTTPRequest] { seen.withLock { $0 } }

  /// The bodies as JSON.
  var bodies: [JSON] { requests.map { $0.json } }

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    seen.withLock { $0.append(request) }
    return try await response(request)
  }
}

/// A value that several tasks change.
final class Box<Value: Sendable>: Sendable {
  private let value: Locked<Value>

  init(_ value: Value) { self.value = Locked(value) }

  var current: Value { value.withLock { $0 } }

  @discardableResult
  func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}

extension Graph.HTTPRequest {
  var json: JSON {
    guard case .bytes(let bytes) = body, let json = try? JSON(parsing: bytes) else { return .null }
    return json
  }
}

extension Graph.HTTPResponse {
  static func json(
    _ text: String, status: Int = 200, type: String? = Graph.MediaType.graphQLResponse,
    headers: Graph.Headers = [:]
  ) -> Graph.HTTPResponse {
    var headers = headers
    headers["Content-Type"] = type
    return Graph.HTTPResponse(
      status: status, headers: headers, url: .endpoint, body: Body(Array(text.utf8)))
  }

  static let shop = json(#"{"data":{"shop":{"name":"Shoes"}}}"#)
}

extension URL {
  static let endpoint = URL(string: "https://shop.example/graphql")!
}

extension Graph.Client {
  /// A client without a disk, with its own time.
  static func test(
    _ transport: any Graph.Transport, headers: Graph.Headers = [:],
    source: Graph.HeaderSource? = nil,
    cachePolicy: Graph.CachePolicy = .networkOnly, interceptors: [any Graph.Interceptor] = [],
    time: any Graph.TimeSource = ManualTime(), throttle: Graph.HostThrottle = Graph.HostThrottle(),
    endpoint: URL = .endpoint, _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.MemoryStorage()
    // A busy machine may take longer than the standard limit; tests of the limit set it.
    configuration.preparationTimeout = nil
    configure(&configuration)
    return Graph.Client(
      endpoint: endpoint, headers: source ?? .constant(headers), transport: transport,
      cachePolicy: cachePolicy,
      interceptors: interceptors, configuration: configuration, throttle: throttle,
      time: time)
  }
}
