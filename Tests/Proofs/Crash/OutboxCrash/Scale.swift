import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// Measures the processor time of one operation in a short queue and in a long one.
struct Scale {
  /// In microseconds.
  struct Costs {
    var queueing = 0.0
    var coalescing = 0.0
    /// For one operation that is in the queue when it is opened.
    var opening = 0.0
    /// Taking the next operation from the queue, sending it and storing its response.
    var sending = 0.0
  }

  /// The number of operations that are measured in addition to the queued ones.
  private static let sample = 2_000

  /// - Returns: the exit status of the process: 1 if an operation in the long queue takes more than
  ///   twice as long.
  static func run(folder: URL, short: Int, long: Int) async throws -> Int32 {
    // The first run includes the cost of objects that are created once.
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
        // Each replaces a queued operation.
        for number in 0..<sample { try await save(outbox, number % count) }
      }
      // The same number is removed again, so that the queue keeps its length.
      for number in count..<(count + sample) {
        if let id = identifiers.withLock({ $0[number] }) { try await outbox.cancel(id) }
      }
    }
    // Opening a short queue many times takes as long as opening a long queue once.
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
    _ file: URL, _ body: (Graph.Outbox, Transport) async throws -> Void
  ) async throws {
    let store = try Graph.Store(
      schema: Storefront.schema, file: file,
      configuration: .init(policies: ["Cart": Graph.TypePolicy(persistence: .persistent)]))
    let transport = Transport()
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: transport)
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    configuration.supportedOperations = ["Cart": [.save]]
    let outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
    try await body(outbox, transport)
    transport.outbox.withLock { $0 = nil }
  }

  private static func queue(_ outbox: Graph.Outbox, _ numbers: Range<Int>) async throws {
    for number in numbers { try await save(outbox, number) }
  }

  private static func save(_ outbox: Graph.Outbox, _ number: Int) async throws {
    let cart = GraphQL.ID(rawValue: "c\(number)")
    let mutation = Storefront.buildMutation(named: "Note") {
      $0.cartNoteUpdate(cartId: cart, note: "n\(number)") {
        $0.cart { $0.id().note() }.userErrors { $0.message() }
      }
    }
    let id = try await outbox.queueSave(
      mutation, for: GraphQL.EntityKey(typeName: "Cart", key: cart.rawValue),
      optimistic: .create(["note": .string("n\(number)")]))
    identifiers.withLock { $0[number] = id }
  }

  /// The processor time of `body` divided by `count`, in microseconds.
  private static func time(_ count: Int, _ body: () async throws -> Void) async rethrows -> Double {
    let start = processorTime()
    try await body()
    return (processorTime() - start) / Double(count)
  }

  /// The processor time of the process, in microseconds.
  private static func processorTime() -> Double { Double(clock()) * 1e6 / Double(CLOCKS_PER_SEC) }
}

/// Carries out that many notes, and then pauses the outbox.
final class Transport: Graph.Transport {
  let outbox = Locked<Graph.Outbox?>(nil)
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
