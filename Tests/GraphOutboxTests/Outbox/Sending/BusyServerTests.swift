import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// A busy server has not refused anything.
struct BusyServerTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private static let faults: [MockFault] = [
    .status(408), .status(425), .status(429), .status(503),
    .requestErrors([ExecutionError("Throttled", extensions: ["code": "THROTTLED"])]),
    .transportError(Graph.TransportError(.cannotConnect, message: "nobody listens")),
    .transportError(Graph.TransportError(.connectionLost, message: "lost", bytesSent: true)),
    .cutOff(afterBytes: 5),
  ]

  @Test(arguments: faults.indices)
  func retriesUntilTheServerIsNotBusy(_ index: Int) async throws {
    for _ in 1...7 { shop.server.endpoint.enqueue(Self.faults[index]) }
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(
      shop.note("ring", "9"), for: shop.cart("9"), isIdempotent: true)
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.endpoint.requests.count == 8)
  }

  @Test func theStateIsWaitingAfterABusyResponse() async throws {
    shop.server.endpoint.enqueue(.status(429))
    let (outbox, _) = try await shop.run {
      $0.backoff = Graph.Backoff(base: .seconds(3600), maximum: .seconds(3600))
    }
    var steps = outbox.transitions().makeAsyncIterator()
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .waiting)
    while let step = await steps.next(), step.to != .waiting {}
    let work = try Graph.StoreInspector(file: shop.file).unsentWork()
    #expect(work.map(\.state) == ["waiting"])
    try await outbox.setReachable(true)
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
  }

  /// An operation that was certainly not carried out is repeated, even if the program does not
  /// declare that it may be.
  @Test(arguments: [408, 425, 429])
  func nonIdempotentOperationsWaitForABusyServer(_ status: Int) async throws {
    for _ in 1...7 { shop.server.endpoint.enqueue(.status(status)) }
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["9 ring"])
  }

  /// Nothing was sent, so an operation that must not be repeated waits as well.
  @Test func aFullDiskRejectsNoOperation() async throws {
    let error = Graph.TransportError(.cannotWriteFile, message: "the disk is full")
    for _ in 1...7 { shop.server.endpoint.enqueue(.transportError(error)) }
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["9 ring"])
  }
}
