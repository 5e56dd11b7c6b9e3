import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Workers that send one request after the other.
struct Load: Sendable {
  private let send: @Sendable (_ worker: Int) async throws -> Int

  init?(_ kind: String, _ query: LoadQuery, port: UInt16) async throws {
    guard let url = URL(string: "http://127.0.0.1:\(port)/graphql") else { return nil }
    let request = try await query.request(to: url)
    switch kind {
    case "urlsession":
      let session = URLSession(configuration: .ephemeral)
      send = { _ in try await session.bytes(of: request).count }
    case "hand-over":
      let thread = HandOver()
      send = { _ in await thread.turn() }
    case "urlsession-transport": send = Self.bytes(request, Graph.URLSessionTransport())
    case "urlsession-client": send = Self.query(query, url, Graph.URLSessionTransport())
    #if !canImport(Darwin)
      case "curl-transport": send = Self.bytes(request, Graph.CurlTransport())
      case "curl-client": send = Self.query(query, url, Graph.CurlTransport())
    #endif
    default: return nil
    }
  }

  private static func bytes(
    _ request: Graph.HTTPRequest, _ transport: any Graph.Transport
  ) -> @Sendable (Int) async throws -> Int {
    { _ in
      var count = 0
      for try await chunk in try await transport.send(request).body { count += chunk.count }
      return count
    }
  }

  private static func query(
    _ query: LoadQuery, _ url: URL, _ transport: any Graph.Transport
  ) -> @Sendable (Int) async throws -> Int {
    let client = Graph.Client(endpoint: url, transport: transport)
    // Each worker uses another query, so that no two share a response.
    return { worker in
      try await client.query(query.query(worker)).data == nil ? 0 : 1
    }
  }

  /// Seconds of time and of processor time.
  func run(width: Int, count: Int) async throws -> (wall: Double, processor: Double) {
    let wall = ContinuousClock.now
    let processor = processorTime()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<width {
        let share = count / width + (worker < count % width ? 1 : 0)
        group.addTask {
          for _ in 0..<share where try await send(worker) == 0 {
            throw CocoaError(.featureUnsupported)
          }
        }
      }
      try await group.waitForAll()
    }
    return (wall.duration(to: .now) / .seconds(1), processorTime() - processor)
  }
}

/// A thread that runs every task at once: the minimum cost of an asynchronous call whose work is
/// done by one thread.
private final class HandOver: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [CheckedContinuation<Int, Never>] = []

  init() {
    Thread.detachNewThread { [self] in
      while true {
        condition.lock()
        while waiting.isEmpty { condition.wait() }
        let turns = waiting
        waiting = []
        condition.unlock()
        for turn in turns { turn.resume(returning: 1) }
      }
    }
  }

  func turn() async -> Int {
    await withCheckedContinuation { continuation in
      condition.lock()
      waiting.append(continuation)
      condition.signal()
      condition.unlock()
    }
  }
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension URLSession {
  /// URLSession without a client.
  fileprivate func bytes(of http: Graph.HTTPRequest) async throws -> Data {
    var request = URLRequest(url: http.url)
    request.httpMethod = http.method.rawValue
    for field in http.headers.fields {
      request.setValue(field.value, forHTTPHeaderField: field.name)
    }
    if case .bytes(let bytes) = http.body { request.httpBody = Data(bytes) }
    return try await withCheckedThrowingContinuation { continuation in
      dataTask(with: request) { data, _, error in
        continuation.resume(with: Result { if let error { throw error } else { data ?? Data() } })
      }.resume()
    }
  }
}
