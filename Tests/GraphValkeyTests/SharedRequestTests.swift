import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphValkey

/// Clients with connections of their own, as in several processes.
@Suite(.needsServer, .timeLimit(.minutes(2))) struct SharedRequestTests {
  private struct Shop: Graph.Transport {
    let body: String
    let onRequest: @Sendable () async throws -> Void

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      try await onRequest()
      return Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], url: request.url,
        body: Graph.HTTPResponse.Body(Array(body.utf8)))
    }
  }

  private let hats = #"{"data":{"shop":{"name":"Hats"}}}"#

  private func client(
    _ storage: any Graph.ResponseStorage, _ body: String, timeout: Duration? = nil,
    onRequest: @escaping @Sendable () async throws -> Void
  ) throws -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.storage = storage
    configuration.timeout = timeout
    configuration.retryPolicy = .none
    return Graph.Client(
      endpoint: try #require(URL(string: "https://shop.example/graphql")),
      transport: Shop(body: body, onRequest: onRequest), cachePolicy: .cacheFirst,
      configuration: configuration)
  }

  private func query() -> Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.shop { $0.name() } }
  }

  @Test func oneRequestForAllClients() async throws {
    let server = try await ValkeyServer()
    let requests = Locked(0)
    let responses = try await withThrowingTaskGroup(of: (String?, Bool).self) { group in
      for _ in 0..<10 {
        let client = try client(Graph.ValkeyStorage(try server.client()), hats) {
          requests.withLock { $0 += 1 }
          try await Task.sleep(for: .milliseconds(300))
        }
        group.addTask {
          let response = try await client.query(query())
          return (response.data?.shop.name, response.source == .network)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(requests.withLock { $0 } == 1)
    #expect(responses.count == 10 && responses.allSatisfy { $0.0 == "Hats" })
    #expect(responses.filter(\.1).count == 1)
  }

  @Test func responsesWithErrorsAreNotWaitedFor() async throws {
    let server = try await ValkeyServer()
    let requests = Locked(0)
    let body = #"{"data":{"shop":{"name":"Hats"}},"errors":[{"message":"slow"}]}"#
    let clock = ContinuousClock()
    let time = try await clock.measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          let client = try client(Graph.ValkeyStorage(try server.client()), body) {
            requests.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(1))
          }
          group.addTask { _ = try await client.query(query()) }
        }
        try await group.waitForAll()
      }
    }
    #expect(requests.withLock { $0 } == 10)
    // One after the other would take 10 seconds.
    #expect(time < .seconds(8))
  }

  /// The holder hangs: the other asks for itself, within its own deadline.
  @Test func waitEndsBeforeTheDeadline() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client())
    let holder = try client(storage, hats) { try await Task.sleep(for: .seconds(60)) }
    let task = Task { try await holder.query(query()) }
    try await until("the holder has the lease") {
      try await storage.valkey.run("DBSIZE").integer != 0
    }
    let other = try client(Graph.ValkeyStorage(try server.client()), hats, timeout: .seconds(4)) {}
    let response = try await other.query(query())
    #expect(response.data?.shop.name == "Hats" && response.source == .network)
    task.cancel()
    _ = await task.result
    // The lease of the cancelled query has ended.
    try await until("the lease has ended") {
      try await storage.valkey.run("KEYS", "test:l:*") == .array([])
    }
  }

  @Test func queriesWorkWithoutTheServer() async throws {
    let storage = Graph.ValkeyStorage(
      try Graph.Valkey(.init(.socket(URL(filePath: "/nonexistent/socket")), namespace: "test")))
    for storage: any Graph.ResponseStorage in [storage, Graph.CoherentStorage(storage)] {
      let client = try client(storage, hats) {}
      for _ in 0..<3 { #expect(try await client.query(query()).data?.shop.name == "Hats") }
    }
  }

  /// A user who logs out while a response is requested must not leave it on the server.
  @Test func purgeDuringARequestKeepsNothing() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client())
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (goes, go) = AsyncStream.makeStream(of: Void.self)
    let client = try client(storage, hats) {
      start.yield()
      for await _ in goes { break }
    }
    let other = try self.client(Graph.ValkeyStorage(try server.client()), hats) {}
    let task = Task { try await client.query(query()) }
    for await _ in started { break }
    try await other.purge()
    go.yield()
    #expect(try await task.value.data?.shop.name == "Hats")
    await #expect(throws: Graph.QueryError.self) {
      try await other.query(query(), cachePolicy: .cacheOnly)
    }
  }
}
