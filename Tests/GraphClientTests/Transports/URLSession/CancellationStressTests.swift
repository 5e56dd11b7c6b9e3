import Foundation
import Loopback
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests, half of which are cancelled at random times: no hang, no crash, nothing remains open,
/// and nothing remains in memory.
///
/// `Tests/run cancellation` runs the long form.
@Suite(.serialized)
struct CancellationStressTests {
  private static let requestCount =
    ProcessInfo.processInfo.environment["GRAPH_CLIENT_REQUESTS"].flatMap(Int.init) ?? 300
  /// From this number on, the memory that remains of each request is larger than the variation.
  private static let longCount = 20_000
  private static var isLong: Bool { requestCount >= longCount }

  @Test(.timeLimit(.minutes(10))) func cancelledRequestsLeakNoTransfers() async throws {
    let server = try Self.server()
    let transport = Graph.URLSessionTransport()
    let client = Graph.Client(endpoint: server.url(), transport: transport)
    // Connections that are kept open do not count.
    await run(60) { await one($0, client) }
    let before = openDescriptors
    let responded = await run(Self.requestCount) { await one($0, client) }
    #expect(responded >= Self.requestCount / 2)
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    // In a run of all tests, the others have descriptors too.
    if Self.isLong { #expect(openDescriptors <= before + 30) }
    await drain(transport)
    #expect(transport.openTransferCount == 0)
    print(
      "\(Self.requestCount) requests: \(responded) completed,",
      "\(Self.requestCount - responded) cancelled;",
      "descriptors \(before) before, \(openDescriptors) after")
  }

  /// On Linux, URLSession itself keeps 150 to 230 bytes of every request, cancelled or not: the
  /// parts of the address, which libcurl parses for it (`CFURLSessionCurlHostIsEqual`) and which it
  /// does not free. So URLSession is measured in the same run, in which nothing else runs.
  @Test(
    .enabled(if: isLong && liveBytes() != nil, "it needs \(longCount) requests, and glibc"),
    .timeLimit(.minutes(10)))
  func clientLeaksNoMemoryBeyondURLSession() async throws {
    let server = try Self.server()
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let transport = Graph.URLSessionTransport()
    let client = Graph.Client(endpoint: server.url(), transport: transport)
    // Fills the caches, and opens the connections.
    await run(1000) { await bareOne($0, session, server.url()) }
    await run(1000) { await one($0, client) }
    await drain(transport)
    let start = try #require(liveBytes())
    await run(Self.requestCount) { await bareOne($0, session, server.url()) }
    let middle = try #require(liveBytes())
    await run(Self.requestCount) { await one($0, client) }
    await drain(transport)
    let end = try #require(liveBytes())
    let bare = (middle - start) / Self.requestCount
    let ours = (end - middle) / Self.requestCount
    print("bytes that a request leaves: \(bare) of URLSession alone, \(ours) of the client")
    // A remaining transfer, task or deadline would be more.
    #expect(ours <= bare + 100)
    #expect(ours < 400)
  }

  private static func server() throws -> LoopbackServer {
    try LoopbackServer(records: false) { request, connection in
      // From a response in one packet to one in many packets.
      let padding = String(repeating: " ", count: request.body.count * 397 % 120_000)
      connection.response(
        "200 OK", ["Content-Type: application/graphql-response+json"],
        body: #"{"data":{"shop":{"name":"Shoes"}}}"# + padding)
    }
  }

  /// Lets the session end its cancelled requests.
  private func drain(_ transport: Graph.URLSessionTransport) async {
    for _ in 0..<100_000 where transport.openTransferCount > 0 { await Task.yield() }
  }

  /// Six at a time.
  ///
  /// - Returns: the number of responses.
  @discardableResult
  private func run(
    _ count: Int, _ request: @escaping @Sendable (_ index: Int) async -> Bool
  ) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      var responded = 0
      for index in 0..<count {
        if index >= 6, await group.next() == true { responded += 1 }
        group.addTask { await request(index) }
      }
      for await hasResponse in group where hasResponse { responded += 1 }
      return responded
    }
  }

  private func one(_ index: Int, _ client: Graph.Client) async -> Bool {
    let name = String(repeating: "q", count: index % 300 + 1)
    let task = Task {
      try await client.query(Store.buildQuery(named: name) { $0.shop { $0.name() } })
    }
    if index % 2 == 1 {
      // A random time within the hundreds of steps of a request.
      for _ in 0..<Int.random(in: 0..<250) { await Task.yield() }
      task.cancel()
    }
    do {
      _ = try await task.value
      return true
    } catch let error as Graph.QueryError {
      if error.code != .cancelled { Issue.record("\(error)") }
      return false
    } catch {
      return false
    }
  }

  private func bareOne(_ index: Int, _ session: URLSession, _ url: URL) async -> Bool {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(count: 40 + index % 300)
    return await withCheckedContinuation { continuation in
      session.dataTask(with: request) { _, _, error in
        continuation.resume(returning: error == nil)
      }.resume()
    }
  }

  private var openDescriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
