import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The store's file is moved aside while an outbox uses it.
@Suite(.timeLimit(.minutes(1)))
struct MovedFileTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func moveFile() throws {
    let folder = try TemporaryFolder()
    for suffix in ["", "-wal", "-shm"] {
      let path = shop.file.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.moveItem(
        atPath: path, toPath: folder.file().path + suffix)
    }
  }

  /// Responds after `before` has run.
  private final class Delayed: Graph.Transport {
    let endpoint: MockEndpoint
    let before: @Sendable () throws -> Void

    init(_ endpoint: MockEndpoint, before: @escaping @Sendable () throws -> Void) {
      self.endpoint = endpoint
      self.before = before
    }

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      let response = try await endpoint.send(request)
      try before()
      return response
    }
  }

  private func expectEnd(
    _ steps: Graph.Transitions, _ states: Graph.SyncStates, of outbox: Graph.Outbox
  ) async throws {
    for await _ in steps {}
    let error = await #expect(throws: Graph.StoreError.self) { for try await _ in states {} }
    #expect(error?.code == .replaced)
    #expect(outbox.failure?.code == .replaced)
    let refusal = await #expect(throws: Graph.StoreError.self) {
      try await outbox.setReachable(true)
    }
    #expect(refusal?.code == .replaced)
  }

  /// The server has responded, and the response cannot be stored.
  @Test func anOutboxFailsIfItCannotStoreAResponse() async throws {
    let client = Graph.Client(
      endpoint: try #require(URL(string: "https://shop.example/graphql")),
      transport: Delayed(shop.server.endpoint) { try moveFile() })
    let (outbox, _) = try await shop.run(client: client) { $0.startsPaused = true }
    let (steps, states) = (outbox.transitions(), outbox.states(of: shop.cart("9")))
    let (errors, yielded) = AsyncStream.makeStream(of: Optional<Graph.StoreError>.self)
    let token = outbox.observe(shop.cart("9")) { error in
      yielded.yield(error as? Graph.StoreError)
    } onChange: { _ in
    }
    try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.resume()
    try await expectEnd(steps, states, of: outbox)
    for await error in errors {
      #expect(error?.code == .replaced)
      break
    }
    token.stop()
    // The file is free for another outbox, which uses the file that is at the path now.
    let (second, _) = try await shop.run()
    #expect(try second.summary().count == 0)
    try await second.queue(shop.note("again", "9"), for: shop.cart("9"))
    await second.flush()
    #expect(shop.server.effects.log == ["9 ring", "9 again"])
  }

  /// Nothing is in progress: the outbox notices it when it wants to send the next operation.
  @Test func anOutboxFailsIfItCannotClaimAnOperation() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let (steps, states) = (outbox.transitions(), outbox.states(of: shop.cart("9")))
    try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    try moveFile()
    await outbox.resume()
    try await expectEnd(steps, states, of: outbox)
    let error = await #expect(throws: Graph.StoreError.self) {
      try await outbox.queue(shop.note("b", "9"), for: shop.cart("9"))
    }
    #expect(error?.code == .replaced)
    #expect(shop.server.effects.log == [])
  }

  /// There is nothing to send either: the outbox notices it when it looks for work, although it only
  /// reads.
  @Test func anIdleOutboxFailsWhenItReadsTheQueue() async throws {
    let (outbox, _) = try await shop.run()
    await outbox.flush()
    #expect(outbox.failure == nil)
    let (steps, states) = (outbox.transitions(), outbox.states(of: shop.cart("9")))
    try moveFile()
    await outbox.flush()
    try await expectEnd(steps, states, of: outbox)
  }
}
