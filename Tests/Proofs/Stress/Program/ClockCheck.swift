import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// A part of the library that depends on a clock.
struct ClockCheck: Sendable {
  struct Situation: Sendable {
    let name: String
    let jump: [Duration]
    let folder: URL
    let time = ManualTime(chance: 0.999)

    /// Sets the clock; some time passes between two settings.
    func setClock() {
      for jump in jump {
        time.jump(by: jump)
        time.advance(by: .milliseconds(10))
      }
    }

    func require(_ condition: Bool, _ message: @autoclosure () -> String) {
      if !condition { fail("the clock is set \(name): \(message())") }
    }
  }

  let name: String
  let run: @Sendable (Situation) async throws -> Void

  static let all = [
    ClockCheck(name: "cached responses", run: cachedResponses),
    ClockCheck(name: "stored objects", run: storedObjects),
    ClockCheck(name: "order of the outbox", run: orderOfTheOutbox),
    ClockCheck(name: "backoff of the outbox", run: backoffOfTheOutbox),
    ClockCheck(name: "receipts", run: receipts),
  ]

  /// A response that may be a minute old is requested again after a minute, in this boot and the
  /// next, and is then cached again.
  private static func cachedResponses(_ situation: Situation) async throws {
    let time = situation.time
    let requested = Locked(0)
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.DiskStorage(directory: situation.folder)
    configuration.time = time
    let client = Graph.Client(
      endpoint: URL(string: "https://\(UUID().uuidString).example")!,
      transport: FakeShop { call in
        requested.withLock { $0 += 1 }
        return (200, [:], Notes.response(call, note: "x"))
      }, configuration: configuration)
    func ask() async throws -> Int {
      requested.withLock { $0 = 0 }
      _ = try await client.query(Notes.shop, cachePolicy: .cacheFirst(expireIn: 60))
      return requested.withLock { $0 }
    }
    _ = try await ask()
    situation.require(try await ask() == 0, "a fresh response is requested again")
    situation.setClock()
    time.advance(by: .seconds(61))
    situation.require(try await ask() == 1, "a response outlives its minute")
    situation.require(try await ask() == 0, "the next one is not kept")
    situation.setClock()
    time.reboot(downFor: .zero)
    time.advance(by: .seconds(61))
    situation.require(try await ask() == 1, "a response outlives its minute and a restart")
    situation.require(try await ask() == 0, "the next one is not kept after a restart")
  }

  /// The same for objects in the store, whether or not the new response changes them.
  private static func storedObjects(_ situation: Situation) async throws {
    let time = situation.time
    var policies = Graph.Store.Configuration(policies: [
      "Cart": Graph.TypePolicy(persistence: .persistent, maximumAge: .seconds(60))
    ])
    policies.now = { Int64(time.now.wall / .milliseconds(1)) }
    let file = situation.folder.appending(path: "shop.store")
    let operation = try Notes.query("cart/1").operation()
    for response in ["x", "x", "y"] {
      let store = try Graph.Store(schema: Storefront.schema, file: file, configuration: policies)
      func isFresh() throws -> Bool { try store.response(to: operation, maximumAge: nil) != nil }
      func arrive() async throws {
        let json = #"{"data":{"cart":{"id":"cart/1","note":"\#(response)"}}}"#
        try await store.write(operation.response(from: Array(json.utf8)), of: operation)
      }
      try await arrive()
      situation.require(try isFresh(), "a new object is not fresh")
      situation.setClock()
      time.advance(by: .seconds(61))
      situation.require(try !isFresh(), "an object outlives its minute")
      try await arrive()
      situation.require(try isFresh(), "an object that came again is not fresh")
      time.advance(by: .seconds(61))
      situation.require(try !isFresh(), "an object that came again outlives its minute")
    }
  }

  private static func outbox(_ situation: Situation, _ shop: FakeShop) async throws -> Graph.Outbox
  {
    let files = DiskFiles(folder: situation.folder)
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    configuration.idempotencyHeader = "Idempotency-Key"
    configuration.time = situation.time
    var client = Graph.ClientConfiguration()
    client.time = situation.time
    return try await Graph.Outbox(
      store: files.open(files.store),
      client: Graph.Client(
        endpoint: URL(string: "https://\(UUID().uuidString).example")!, transport: shop,
        configuration: client), configuration: configuration)
  }

  /// Waits until every operation has left the queue.
  private static func finish(_ outbox: Graph.Outbox, _ count: Int) async throws {
    let steps = outbox.transitions()
    await outbox.resume()
    var rest = count
    for await step in steps where step.to.isFinal {
      rest -= 1
      if rest == 0 { return }
    }
  }

  private static func orderOfTheOutbox(_ situation: Situation) async throws {
    let log = Locked<[String]>([])
    let outbox = try await outbox(
      situation,
      FakeShop { call in
        log.withLock { $0.append(call.argument("note")) }
        // The clock is set while an operation is in progress, too.
        situation.setClock()
        return (200, [:], Notes.response(call, note: call.argument("note")))
      })
    for number in 0..<5 {
      try await outbox.queue(Notes.mutation("cart/1", "\(number)"), for: Notes.key("cart/1"))
      situation.setClock()
    }
    try await finish(outbox, 5)
    situation.require(
      log.withLock { $0 } == ["0", "1", "2", "3", "4"], "order: \(log.withLock { $0 })")
    let age = try outbox.summary().oldestAge
    situation.require(age == nil, "the queue is not empty")
  }

  /// The clock is set after an operation has begun to wait. The operation waits for the right time,
  /// measured by the clock that cannot be set.
  private static func backoffOfTheOutbox(_ situation: Situation) async throws {
    let time = situation.time
    let sent = Locked<[Duration]>([])
    let outbox = try await outbox(
      situation,
      FakeShop { call in
        let count = sent.withLock {
          $0.append(time.now.uptime)
          return $0.count
        }
        if count < 6 {
          throw Graph.TransportError(.cannotConnect, message: "nothing responds")
        }
        return (200, [:], Notes.response(call, note: "x"))
      })
    let steps = outbox.transitions()
    try await outbox.queue(Notes.mutation("cart/1", "x"), for: Notes.key("cart/1"))
    let clock = Task {
      for await step in steps {
        if step.from == .inTransit && step.to == .pending { situation.setClock() }
        if step.to.isFinal { return }
      }
    }
    try await finish(outbox, 1)
    await clock.value
    let times = sent.withLock { $0 }
    situation.require(times.count == 6, "the operation was sent \(times.count) times")
    for (index, gap) in zip(times.dropFirst(), times).map({ $0 - $1 }).enumerated() {
      // The limits of the delays are 1, 2, 4 … seconds; the random value is the largest possible.
      let bound = Duration.seconds(1 << index)
      situation.require(
        gap > bound * 0.9 && gap < bound + .seconds(1),
        "the outbox waited \(gap) instead of \(bound)")
    }
  }

  /// The receipt of a received operation that is not acknowledged is deleted after at most 30 days
  /// in which the program is opened.
  private static func receipts(_ situation: Situation) async throws {
    let shop = FakeShop { call in
      (200, [:], Notes.response(call, note: call.argument("note")))
    }
    var outbox = try await outbox(situation, shop)
    try await outbox.queue(Notes.mutation("cart/1", "x"), for: Notes.key("cart/1"))
    try await finish(outbox, 1)
    situation.require(try outbox.receipts().count == 1, "there is no receipt")
    situation.setClock()
    await outbox.close()
    outbox = try await Self.outbox(situation, shop)
    situation.time.advance(by: .seconds(31 * 86_400))
    await outbox.close()
    outbox = try await Self.outbox(situation, shop)
    situation.require(try outbox.receipts().isEmpty, "a receipt outlives its 30 days")
  }
}
