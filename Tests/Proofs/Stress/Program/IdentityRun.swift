import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// Two users log in alternately on one device, during requests: with one store file, one client
/// with that store, one client with a response cache, and one outbox. Every value that is read or
/// sent contains its owner's mark, which is checked.
struct IdentityRun {
  let switches: Int

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "treeswift-stress-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let device = try await Device(folder: folder)
    let workers = (0..<6).map { seed in Task { try await device.work(seed: UInt64(seed)) } }
    for number in 1...max(switches, 1) {
      // Requests are in progress, in any state.
      for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
      try await device.switchUser(purges: number % 3 == 0)
    }
    for worker in workers { worker.cancel() }
    for worker in workers { try await worker.value }
    await device.outbox.pause()
    say("\(switches) switches; \(device.counts)")
    say("0 values of the other user")
  }
}

/// The user who is logged in, and the period.
final class Session: Sendable {
  enum User: String, Sendable { case ada, bob }

  private struct State {
    /// The user of each period. Between two users there is a period in which the first one logs
    /// out.
    var users: [User] = [.ada]
    var isLeaving = false
  }

  private let state = Locked(State())

  /// nil during a logout.
  var current: User? { state.withLock { $0.isLeaving ? nil : $0.users.last } }

  /// Calls `body` with the user, who does not log out before it returns; nil during a logout.
  func whileCurrent(_ body: (User?) -> Void) {
    state.withLock { body($0.isLeaving ? nil : $0.users.last) }
  }

  /// The number of the current period.
  var period: Int { state.withLock { $0.users.count - 1 } }

  func leave() { state.withLock { $0.isLeaving = true } }

  func arrive() {
    state.withLock { state in
      state.users.append(state.users.last == .ada ? .bob : .ada)
      state.isLeaving = false
    }
  }

  /// The users whose values may be visible to a task that began in a period and has ended now.
  func users(since period: Int) -> Set<User> { state.withLock { Set($0.users[period...]) } }
}

/// The number of checked values.
private struct Counts: Sendable, CustomStringConvertible {
  var reads = 0
  var own = 0
  var requests = 0
  var writes = 0
  var refused = 0

  var description: String {
    "\(reads) reads checked, \(own) of them within one period; \(requests) requests, "
      + "\(writes) writes queued, \(refused) refused as another user's"
  }
}

private final class Device: Sendable {
  private let session = Session()
  private let store: Graph.Store
  private let kept: Graph.Client
  private let cached: Graph.Client
  let outbox: Graph.Outbox
  private let state = Locked(Counts())

  var counts: Counts { state.withLock { $0 } }

  init(folder: URL) async throws {
    let state = state
    let session = session
    let shop = FakeShop { call in
      state.withLock { $0.requests += 1 }
      guard let owner = call.headers["Authorization"] else { fail("a request without a token") }
      for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
      // A queued write is never sent with the token of another user.
      if call.isMutation {
        let note = call.argument("note")
        require(note == owner, "\(owner) has sent what \(note) had queued")
      }
      return (200, [:], Notes.response(call, note: owner))
    }
    let headers: Graph.Client.HeaderProvider = {
      for _ in 0..<Int.random(in: 0..<10) { await Task.yield() }
      guard let user = session.current else { throw LoggedOut() }
      return ["Authorization": user.rawValue]
    }
    store = try DiskFiles(folder: folder).open(folder.appending(path: "shop.store"))
    let endpoint = URL(string: "https://shop.example/graphql")!
    kept = Graph.Client(
      endpoint: endpoint, headers: headers, transport: shop, store: store)
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.LayeredStorage(
      Graph.MemoryStorage(),
      over: Graph.DiskStorage(directory: folder.appending(path: "responses")))
    cached = Graph.Client(
      endpoint: endpoint, headers: headers, transport: shop, configuration: configuration)
    var rules = Graph.Outbox.Configuration()
    rules.idempotencyHeader = "Idempotency-Key"
    rules.backoff = Graph.Backoff(base: .milliseconds(5), maximum: .milliseconds(20))
    outbox = try await Graph.Outbox(store: store, client: kept, configuration: rules)
  }

  func switchUser(purges: Bool) async throws {
    session.leave()
    // A reader may keep the log from being emptied.
    if try await store.logout(.everything).erasureError != nil {
      try await store.eraseDeletedData()
    }
    if purges { try await cached.purge() }
    session.arrive()
    try await outbox.credentialsRenewed()
  }

  func work(seed: UInt64) async throws {
    while !Task.isCancelled {
      let cart = GraphQL.ID(rawValue: "cart/\(Int.random(in: 0..<5))")
      let period = session.period
      switch Int.random(in: 0..<8) {
      case 0: await ask(kept, of: cart, .cacheFirst)
      case 1: await ask(cached, .cacheFirst)
      case 2: await ask(cached, .networkFirst)
      case 3: await ask(cached, .cacheOnly)
      case 4: await ask(kept, of: cart, .cacheOnly)
      case 5:
        let note = try store.object(Storefront.Cart.self, key: cart.rawValue)?.note
        check(note, period, "a row")
      case 6: for receipt in try outbox.receipts() { check(receipt.name, period, "a receipt") }
      default: try await write(cart)
      }
      await Task.yield()
    }
  }

  /// Requests a cart, or the shop, whose response may be cached.
  private func ask(
    _ client: Graph.Client, of cart: GraphQL.ID? = nil, _ policy: Graph.CachePolicy
  ) async {
    let period = session.period
    let query = cart.map { Notes.query($0) } ?? Notes.shop
    // During a logout there is no token, and the cache may be empty.
    guard let response = try? await client.query(query, cachePolicy: policy) else { return }
    let owner = cart == nil ? response.data?.shop.name : response.data?.cart?.note
    check(owner, period, "\(response.source)")
  }

  private func write(_ cart: GraphQL.ID) async throws {
    let result: Result<String, any Error>? = await withCheckedContinuation { continuation in
      session.whileCurrent { user in
        guard let user else { return continuation.resume(returning: nil) }
        let mutation = Storefront.buildMutation(named: user.rawValue) {
          $0.cartNoteUpdate(cartId: cart, note: user.rawValue) {
            $0.cart { $0.id().note() }.userErrors { $0.message() }
          }
        }
        // As long as the user is known to be logged in.
        let submission = Result {
          try outbox.submission(mutation, .mutation, Notes.key(cart), nil, false)
        }
        outbox.enqueue(submission) { continuation.resume(returning: $0) }
      }
    }
    switch result {
    case .success: state.withLock { $0.writes += 1 }
    case .failure(is GraphQL.StaleGeneration): state.withLock { $0.refused += 1 }
    case .failure(let error): throw error
    case nil: break
    }
  }

  private func check(_ owner: String?, _ period: Int, _ place: String) {
    guard let owner else { return }
    let users = session.users(since: period)
    require(
      users.contains { $0.rawValue == owner },
      "\(users.map(\.rawValue)) reads what is \(owner)'s: \(place)")
    state.withLock {
      $0.reads += 1
      $0.own += users.count == 1 ? 1 : 0
    }
  }
}

private struct LoggedOut: Error {}
