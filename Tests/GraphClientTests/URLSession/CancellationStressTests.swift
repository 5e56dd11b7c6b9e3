import Foundation
import Loopback
import Testing

@testable import GraphClient

/// Requests of which half are cancelled at random moments: no hang, no crash, nothing left open.
///
/// `GRAPH_CLIENT_REQUESTS=20000 swift test --filter CancellationStressTests` runs the long form.
@Suite(.serialized)
struct CancellationStressTests {
  private static let requestCount =
    ProcessInfo.processInfo.environment["GRAPH_CLIENT_REQUESTS"].flatMap(Int.init) ?? 300

  @Test(.timeLimit(.minutes(10))) func halfOfTheRequestsAreCancelled() async throws {
    let server = try LoopbackServer(records: false) { request, connection in
      // From an answer in one packet to one in many.
      let padding = String(repeating: " ", count: request.body.count * 397 % 120_000)
      connection.answer(
        "200 OK", ["Content-Type: application/graphql-response+json"],
        body: #"{"data":{"shop":{"name":"Shoes"}}}"# + padding)
    }
    let transport = Graph.URLSessionTransport()
    let client = Graph.Client(endpoint: server.url(), transport: transport)
    // The connections that are kept open do not count.
    await run(60, client)
    let before = openDescriptors
    var memory = [residentKilobytes]
    var answered = 0
    var cancelled = 0
    for _ in 0..<4 {
      let outcome = await run(Self.requestCount / 4, client)
      answered += outcome.answered
      cancelled += outcome.cancelled
      memory.append(residentKilobytes)
    }
    #expect(answered + cancelled == Self.requestCount)
    #expect(answered >= Self.requestCount / 2)
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    #expect(openDescriptors <= before + 30)
    for _ in 0..<100_000 where transport.openTransferCount > 0 { await Task.yield() }
    #expect(transport.openTransferCount == 0)
    // Alone in its process, that is. URLSession itself keeps about 120 bytes of a request on Linux.
    if Self.requestCount >= 20_000 {
      #expect((memory[4] - memory[1]) * 1024 / Self.requestCount < 400)
    }
    print(
      "\(Self.requestCount) requests: \(answered) answered, \(cancelled) cancelled;",
      "descriptors \(before) before, \(openDescriptors) after;",
      "memory at each quarter \(memory) KB")
  }

  /// Six at a time.
  @discardableResult
  private func run(
    _ count: Int, _ client: Graph.Client
  ) async -> (answered: Int, cancelled: Int) {
    await withTaskGroup(of: Bool.self) { group in
      var answered = 0
      var cancelled = 0
      for index in 0..<count {
        if index >= 6, let wasAnswered = await group.next() {
          if wasAnswered { answered += 1 } else { cancelled += 1 }
        }
        group.addTask { await one(index, client) }
      }
      for await wasAnswered in group {
        if wasAnswered { answered += 1 } else { cancelled += 1 }
      }
      return (answered, cancelled)
    }
  }

  private func one(_ index: Int, _ client: Graph.Client) async -> Bool {
    let name = String(repeating: "q", count: index % 300 + 1)
    let task = Task {
      try await client.query(Store.buildQuery(named: name) { $0.shop { $0.name() } })
    }
    if index % 2 == 1 {
      // A random moment: somewhere in the thousand steps that a request takes.
      for _ in 0..<Int.random(in: 0..<500) { await Task.yield() }
      task.cancel()
    }
    do {
      _ = try await task.value
      return true
    } catch let error as Graph.QueryError {
      if !error.isCancellation { Issue.record("\(error)") }
      return false
    } catch {
      return false
    }
  }

  private var openDescriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  /// What the process holds when the allocator has given back what is free; 0 where there is no
  /// `/proc`.
  private var residentKilobytes: Int {
    #if canImport(Glibc)
      typealias Trim = @convention(c) (Int) -> Int32
      if let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") {
        _ = unsafeBitCast(trim, to: Trim.self)(0)
      }
    #endif
    let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    let pages = words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
    return (pages * sysconf(Int32(_SC_PAGESIZE))) >> 10
  }
}
