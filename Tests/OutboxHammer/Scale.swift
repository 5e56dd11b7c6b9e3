import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// Measures what one operation costs in a short queue and in a long one, in processor
/// time.
struct Scale {
  /// In microseconds.
  struct Costs {
    var queueing = 0.0
    var coalescing = 0.0
    /// Of one operation that is there when the queue is opened.
    var opening = 0.0
    /// Picking the next operation, sending it and storing its answer.
    var sending = 0.0
  }

  /// How many operations are measured on top of those that are queued.
  private static let sample = 2_000

  /// - Returns: the process's exit status: 1 if an operation in the long queue costs more than twice as
  ///   much.
  static func run(folder: URL, short: Int, long: Int) async throws -> Int32 {
    // The first run of anything pays for what is made once.
    _ = try await costs(folder.appending(path: "warm.store"), queued: short)
    let small = try await costs(folder.appending(path: "short.store"), queued: short)
    let large = try await costs(folder.appending(path: "long.store"), queued: long)
    var isFlat = true
    let parts: [(String, KeyPath<Costs, Double>)] = [
      ("queueing", \.queueing), ("coalescing", \.coalescing), ("opening", \.opening),
      ("sending", \.sending),
    ]
    for (name, part) in parts {
      let ratio = large[keyPath: part] / small[keyPath: part]
      isFlat = isFlat && ratio <= 2
      print(
        name, String(format: "%.1f µs at %d,", small[keyPath: part], short),
        String(format: "%.1f µs at %d: ratio %.2f", large[keyPath: part], long, ratio))
    }
    return isFlat ? 0 : 1
  }

  private static func costs(_ file: URL, queued count: Int) async throws -> Costs {
    var costs = Costs()
    try await withOutbox(file) { outbox, _ in
      try await queue(outbox, 0..<count)
      costs.queueing = try await time(sample) { try await queue(outbox, count..<(count + sample)) }
      costs.coalescing = try await time(sample) {
        // Each takes the place of one that is queued.
        for number in 0..<sample { try await save(outbox, number % count) }
      }
      // So few are taken away again that the queue is of the same length.
      for number in count..<(count + sample) {
        if let id = identifiers.withLock({ $0[number] }) { try await outbox.cancel(id) }
      }
    }
    // Many openings of a short queue take as long as one of a long queue.
    let openings = max(1, 20_000 / count)
    costs.opening = try await time(openings * count) {
      for _ in 0..<openings { try await withOutbox(file) { _, _ in } }
    }
    try await withOutbox(file) { outbox, transport in
      let sent = min(count, sample)
      costs.sending = await time(sent) {
        transport.outbox.withLock { $0 = outbox }
        transport.left.withLock { $0 = sent }
        await outbox.resume()
        await outbox.flush()
      }
    }
    return costs
  }

  private static let identifiers = Locked<[Int: String]>([:])

  private static func withOutbox(
    _ file: URL, _ body: (Outbox, Transport) async throws -> Void
  ) async throws {
    let store = try Store(
      schema: Storefront.schema, file: file,
      configuration: .init(policies: ["Cart": TypePolicy(persistence: .persistent)]))
    let transport = Transport()
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: transport)
    var configuration = Outbox.Configuration()
    configuration.startsPaused = true
    configuration.supportedOperations = ["Cart": [.save]]
    let outbox = try await Outbox(store: store, client: client, configuration: configuration)
    try await body(outbox, transport)
    transport.outbox.withLock { $0 = nil }
  }

  private static func queue(_ outbox: Outbox, _ numbers: Range<Int>) async throws {
    for number in numbers { try await save(outbox, number) }
  }

  private static func save(_ outbox: Outbox, _ number: Int) async throws {
    let cart = GraphQL.ID(rawValue: "c\(number)")
    let mutation = Storefront.buildMutation(named: "Note") {
      $0.cartNoteUpdate(cartId: cart, note: "n\(number)") {
        $0.cart { $0.id().note() }.userErrors { $0.message() }
      }
    }
    let id = try await outbox.persist(
      mutation, for: GraphQL.EntityKey(typeName: "Cart", key: cart.rawValue),
      optimistic: .create(["note": .string("n\(number)")]))
    identifiers.withLock { $0[number] = id }
  }

  /// The processor time of `body` for one of `count` things, in microseconds.
  private static func time(_ count: Int, _ body: () async throws -> Void) async rethrows -> Double {
    let start = processorTime()
    try await body()
    return (processorTime() - start) / Double(count)
  }

  /// The processor time that the process has taken, in microseconds.
  private static func processorTime() -> Double { Double(clock()) * 1e6 / Double(CLOCKS_PER_SEC) }
}

/// Carries so many notes out, and pauses the outbox then.
final class Transport: Graph.Transport {
  let outbox = Locked<Outbox?>(nil)
  let left = Locked(0)

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { await outbox.withLock { $0 }?.pause() }
    let body = #"{"data":{"cartNoteUpdate":{"cart":{"id":"c0","note":"n"},"userErrors":[]}}}"#
    return Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url,
      body: Graph.HTTPResponse.Body(Array(body.utf8)))
  }
}
