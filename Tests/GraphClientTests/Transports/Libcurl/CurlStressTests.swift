#if !canImport(Darwin)
  import Foundation
  import Loopback
  import XCTest

  @testable import GraphClient

  /// Requests over libcurl, a third of which is cancelled at random times: no hang, no crash, and
  /// no remaining descriptor, thread or memory.
  ///
  /// `Tests/run cancellation` runs the long form. Swift Testing keeps a backtrace of every
  /// thrown error, which is more than the measured amount; XCTest does not.
  final class CurlStressTests: XCTestCase {
    private static let requestCount =
      ProcessInfo.processInfo.environment["GRAPH_CLIENT_REQUESTS"].flatMap(Int.init) ?? 600
    /// From this number on, the memory that remains of each request is larger than the variation.
    private static let longCount = 20_000

    func testCancelledRequestsLeakNoResources() async throws {
      try XCTSkipUnless(Graph.CurlTransport.isAvailable, "no libcurl")
      let server = try LoopbackServer(records: false) { request, connection in
        // From a response in one packet to one in many packets.
        let padding = String(repeating: " ", count: request.body.count * 397 % 120_000)
        connection.response(
          "200 OK", ["Content-Type: application/graphql-response+json"],
          body: #"{"data":{"shop":{"name":"Shoes"}}}"# + padding)
      }
      let client = Graph.Client(endpoint: server.url(), transport: Graph.CurlTransport())
      // Fills the caches, opens the connections, and starts the threads.
      await Self.run(2_000, client)
      let before = try Resources()
      // A heap also grows by its own rules. A leak grows it in every round.
      var growth = Int.max
      for round in 1...3 {
        let start = try Resources()
        let responded = await Self.run(Self.requestCount, client)
        let end = try Resources()
        XCTAssertGreaterThanOrEqual(responded, Self.requestCount / 2)
        print(
          "\(Self.requestCount) requests: \(responded) completed,",
          "\(Self.requestCount - responded) cancelled; \(start) before, \(end) after")
        guard Self.requestCount >= Self.longCount, let first = start.bytes, let last = end.bytes
        else { break }
        growth = min(growth, last - first)
        print("bytes that a request leaves:", Double(last - first) / Double(Self.requestCount))
        if growth <= 8 * Self.requestCount { break }
        XCTAssertLessThan(round, 3, "each round leaves \(growth) bytes or more")
      }
      let after = try Resources()
      let name = try await client.query(shopQuery()).data?.shop.name
      XCTAssertEqual(name, "Shoes")
      // The server closes its connections a little later.
      XCTAssertLessThanOrEqual(after.descriptors, before.descriptors + 40)
      XCTAssertLessThanOrEqual(after.threads, before.threads + 24)
    }

    /// The descriptors, threads and memory of the process.
    private struct Resources: CustomStringConvertible {
      let descriptors: Int
      let threads: Int
      let bytes: Int?

      init() throws {
        let files = FileManager.default
        descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").count
        threads = try files.contentsOfDirectory(atPath: "/proc/self/task").count
        bytes = liveBytes()
      }

      var description: String { "\(descriptors) descriptors, \(threads) threads" }
    }

    /// Six at a time.
    ///
    /// - Returns: the number of responses.
    @discardableResult
    private static func run(_ count: Int, _ client: Graph.Client) async -> Int {
      await withTaskGroup(of: Bool.self) { group in
        var responded = 0
        for index in 0..<count {
          if index >= 6, await group.next() == true { responded += 1 }
          group.addTask { await one(index, client) }
        }
        for await hasResponse in group where hasResponse { responded += 1 }
        return responded
      }
    }

    private static func one(_ index: Int, _ client: Graph.Client) async -> Bool {
      let name = String(repeating: "q", count: index % 300 + 1)
      let task = Task {
        try await client.query(Store.buildQuery(named: name) { $0.shop { $0.name() } })
      }
      if index % 3 == 2 {
        // A random time within the steps of a request.
        for _ in 0..<Int.random(in: 0..<120) { await Task.yield() }
        task.cancel()
      }
      do {
        _ = try await task.value
        return true
      } catch let error as Graph.QueryError {
        if error.code != .cancelled { XCTFail("\(error)") }
        return false
      } catch {
        return false
      }
    }
  }
#endif
