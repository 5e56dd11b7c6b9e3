import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore
import GraphWebSocket
import StorefrontAPI

/// The objects that the tasks share: clients, a store and an outbox, and the writes that these have
/// acknowledged.
final class Load: Sendable {
  struct Counts: Sendable, CustomStringConvertible {
    var done: [String: Int] = [:]
    var failed: [String: Int] = [:]

    var description: String {
      Set(done.keys).union(failed.keys).sorted().map {
        "\($0) \(done[$0] ?? 0) (\(failed[$0] ?? 0) failed)"
      }.joined(separator: ", ")
    }
  }

  /// The last write that the server or the store has acknowledged, and the operations in the queue.
  private struct Promises: Sendable {
    var notes: [String: Int] = [:]
    var titles: [Int: String] = [:]
    /// The number of the note that an operation writes, and its cart.
    var queued: [String: (cart: String, note: Int)] = [:]
    var ended: [String: Graph.OperationState] = [:]
    var acknowledged = 0
  }

  private let store: Graph.Store
  private let kept: Graph.Client
  private let cached: Graph.Client
  private let direct: Graph.Client
  private let outbox: Graph.Outbox
  private let state = Locked(Counts())
  private let promises = Locked(Promises())

  var counts: Counts { state.withLock { $0 } }

  init(folder: URL) async throws {
    let environment = ProcessInfo.processInfo.environment
    guard let server = environment["GRAPH_TEST_SERVER"],
      let faults = environment["GRAPH_TEST_FAULTS"]
    else { fail("run Tests/run stress-load, which starts the servers") }
    let faulty = URL(string: "http://127.0.0.1:\(faults)/any/shop/")!
    var configuration = Graph.ClientConfiguration()
    configuration.attemptTimeout = .seconds(20)
    configuration.retryPolicy = Graph.RetryPolicy(
      maximumAttempts: 3,
      backoff: Graph.Backoff(base: .milliseconds(20), maximum: .milliseconds(200)))
    configuration.storage = Graph.LayeredStorage(
      Graph.MemoryStorage(capacity: 1 << 20),
      over: Graph.DiskStorage(directory: folder.appending(path: "responses"), capacity: 1 << 20))
    store = try DiskFiles(folder: folder).open(folder.appending(path: "shop.store"))
    kept = Graph.Client(endpoint: faulty, store: store, configuration: configuration)
    cached = Graph.Client(endpoint: faulty, configuration: configuration)
    direct = Graph.Client(endpoint: URL(string: "http://127.0.0.1:\(server)/shop/")!)
    var rules = Graph.Outbox.Configuration()
    rules.idempotencyHeader = "Idempotency-Key"
    rules.concurrentOperations = 8
    rules.backoff = Graph.Backoff(base: .milliseconds(10), maximum: .milliseconds(200))
    outbox = try await Graph.Outbox(store: store, client: kept, configuration: rules)
  }

  func work(_ number: Int, until end: ContinuousClock.Instant) async {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      let cart = GraphQL.ID(rawValue: "read/\(Int.random(in: 0..<50))")
      switch Int.random(in: 0..<16) {
      case 0...3:
        await count("queries") {
          _ = try await kept.query(Notes.query(cart), cachePolicy: .cacheFirst(expireIn: 1))
        }
      case 4...6:
        let policies = [Graph.CachePolicy.networkFirst, .cacheFirst(expireIn: 1), .cacheAndNetwork]
        await count("cached queries") {
          _ = try await cached.query(Notes.shop, cachePolicy: policies.randomElement())
        }
      case 7: await mutate(number, round)
      case 8: await listen(.serverSentEvents)
      case 9: await listen(.webSocket)
      case 10...12: await write(number, round)
      case 13: await observe(number)
      case 14: await queue(number, round)
      default: if number == 0 { await count("purges") { try await cached.purge() } }
      }
    }
  }

  private func count(_ name: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      state.withLock { $0.done[name, default: 0] += 1 }
    } catch is Graph.QueryError {
      state.withLock { $0.failed[name, default: 0] += 1 }
    } catch {
      fail("\(name): \(error)")
    }
  }

  /// Each task has a cart of its own, with growing numbers as notes.
  private func mutate(_ number: Int, _ round: Int) async {
    await count("mutations") {
      let cart = "write/\(number)"
      let response = try await cached.mutate(
        Notes.mutation(GraphQL.ID(rawValue: cart), "\(round)"), idempotencyKey: UUID().uuidString)
      guard response.data?.cartNoteUpdate.cart != nil else {
        throw Graph.QueryError(.noData, message: "no cart")
      }
      promises.withLock {
        $0.notes[cart] = round
        $0.acknowledged += 1
      }
    }
  }

  private func listen(_ form: Graph.SubscriptionProtocol) async {
    let orders = Storefront.buildSubscription { $0.orderUpdated(id: "order/1") { $0.number() } }
    await count(form == .webSocket ? "web sockets" : "event streams") {
      var rest = Int.random(in: 1...4)
      for try await _ in cached.subscribe(orders, over: form) {
        rest -= 1
        if rest == 0 { return }
      }
    }
  }

  private func write(_ number: Int, _ round: Int) async {
    await count("stored objects") {
      let title = String(repeating: "\(round) ", count: Int.random(in: 1...100))
      let json = #"{"id":"\#(number)","title":"\#(title)"}"#
      try await store.write(json: Array(json.utf8), as: Storefront.Product.self)
      promises.withLock {
        $0.titles[number] = title
        $0.acknowledged += 1
      }
      let found = try store.object(Storefront.Product.self, key: "\(number)")?.title
      require(found == title, "an object is not what was written")
    }
  }

  private func observe(_ number: Int) async {
    await count("fetches") {
      _ = try store.fetch(Storefront.Product.self).sorted(by: \.title).limit(10).all()
      _ = try store.counts()
    }
  }

  /// At most two operations of a task are in the queue at a time.
  private func queue(_ number: Int, _ round: Int) async {
    let cart = "queue/\(number)"
    let open = promises.withLock { promises in
      promises.queued.count { $1.cart == cart && promises.ended[$0] == nil }
    }
    guard open < 2 else { return }
    await count("queued writes") {
      let id = GraphQL.ID(rawValue: cart)
      let operation = try await outbox.queue(
        Notes.mutation(id, "\(round)"), for: Notes.key(id))
      promises.withLock {
        $0.queued[operation] = (cart, round)
        $0.acknowledged += 1
      }
    }
  }

  /// Handles the outbox's transitions as an application does.
  func keepOutbox() async {
    for await transition in outbox.transitions() {
      // Three faults in a row may be too many. The operation is harmless, so it is queued again.
      if transition.to == .uncertain { try? await outbox.retry(transition.operation) }
      guard transition.to.isFinal else { continue }
      try? await outbox.acknowledge(transition.operation)
      promises.withLock { $0.ended[transition.operation] = transition.to }
    }
  }

  /// Waits until the queue is empty.
  func settle() async throws {
    while try outbox.summary().count > 0 {
      await outbox.flush()
      try await Task.sleep(for: .milliseconds(20))
    }
    // The last transition is published after its commit.
    while promises.withLock({ promises in
      promises.queued.keys.contains { promises.ended[$0] == nil }
    }) { try await Task.sleep(for: .milliseconds(20)) }
  }

  /// Checks on the server and in the store that acknowledged writes are there.
  ///
  /// - Returns: the number of acknowledged writes.
  func check() async throws -> Int {
    let promises = promises.withLock { $0 }
    for (number, title) in promises.titles {
      let found = try store.object(Storefront.Product.self, key: "\(number)")?.title
      require(found == title, "an acknowledged object is lost")
    }
    for (cart, note) in promises.notes {
      let found = try await storedNote(cart)
      require(found >= note, "an acknowledged mutation is lost: \(cart) has \(found), not \(note)")
    }
    for (cart, operations) in Dictionary(grouping: promises.queued, by: \.value.cart) {
      let last = operations.filter { promises.ended[$0.key] == .received }.map(\.value.note).max()
      let found = try await storedNote(cart)
      require(found >= last ?? 0, "a queued write is lost: \(cart) has \(found), not \(last ?? 0)")
    }
    let rejected = promises.ended.values.count { $0 != .received }
    if rejected > 0 { say("\(rejected) queued writes were refused three times, with a receipt") }
    return promises.acknowledged
  }

  private func storedNote(_ cart: String) async throws -> Int {
    let id = GraphQL.ID(rawValue: cart)
    return Int(try await direct.query(Notes.query(id)).data?.cart?.note ?? "") ?? 0
  }
}
