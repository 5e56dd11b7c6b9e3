import Foundation
import GraphClient
import GraphCompatibility
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// The files of the program on a failing disk, and how it opens them.
struct DiskFiles {
  let folder: URL

  var store: URL { folder.appending(path: "shop.store") }
  var user: URL { folder.appending(path: "user.store") }
  var cache: URL { folder.appending(path: "responses") }
  var value: URL { folder.appending(path: "settings/value.plist") }
  /// Part of all rows of the user who logs out.
  static let secret = "canary-of-the-user"

  /// Carts are transient in the schema's table; here they are stored.
  func open(_ file: URL) throws -> Graph.Store {
    try Graph.Store(
      schema: Storefront.schema, file: file,
      configuration: .init(policies: ["Cart": Graph.TypePolicy(persistence: .persistent)]))
  }

  func outbox(_ store: Graph.Store, _ shop: FakeShop) async throws -> Graph.Outbox {
    var configuration = Graph.Outbox.Configuration()
    configuration.backoff = Graph.Backoff(base: .zero, maximum: .zero)
    configuration.startsPaused = true
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: shop)
    return try await Graph.Outbox(store: store, client: client, configuration: configuration)
  }

  /// A text of several pages, for some rows.
  static func title(_ row: Int) -> String {
    String(repeating: "Shoe \(row) ", count: row % 4 == 3 ? 3000 : 1 + row % 40)
  }

  static func response(_ key: Int) -> Graph.CachedResponse {
    Graph.CachedResponse(
      bytes: Array("{\"data\":{\"shop\":\"\(title(key))\"}}".utf8),
      storedAt: Graph.Timestamp(wall: .seconds(1), uptime: .seconds(1), boot: "boot"))
  }

  static func cacheKey(_ key: Int) -> Graph.CacheKey {
    Graph.CacheKey(scope: "aa", name: "\(key)bb")
  }
}

/// Writes everything that is stored on a disk, one thing after another, and prints what was
/// acknowledged. An error ends only the step that throws it.
struct DiskRun {
  let folder: URL
  private var files: DiskFiles { DiskFiles(folder: folder) }

  func run() async throws {
    try await writeStore()
    await writeUser()
    await writeCache()
    writeValues()
    say("done")
  }

  private func writeStore() async throws {
    guard let store = await again("open store", { try files.open(files.store) }) else { return }
    for row in 0..<12 {
      let json = #"{"id":"p\#(row)","title":"\#(DiskFiles.title(row))"}"#
      let product = Storefront.Product.self
      if await once("row", { try await store.write(json: Array(json.utf8), as: product) }) != nil {
        say("row \(row)")
      }
    }
    let shop = FakeShop { call in
      let (cart, note) = (call.argument("cartId"), call.argument("note"))
      say("effect \(cart) \(note)")
      return (200, [:], Notes.response(call, note: note))
    }
    guard let outbox = await again("open outbox", { try await files.outbox(store, shop) }) else {
      return
    }
    for number in 0..<9 {
      let cart = GraphQL.ID(rawValue: "cart/\(number % 3)")
      let id = await once("queue") {
        try await outbox.queue(
          Notes.mutation(cart, "\(number)"), for: Notes.key(cart), isIdempotent: true)
      }
      if let id { say("queued \(id) \(cart.rawValue) \(number)") }
    }
    await outbox.resume()
    // At the second attempt the disk works, unless it is full from then on.
    for _ in 0..<4 { await outbox.flush() }
    if let summary = await again("summary", { try outbox.summary() }) {
      say("left \(summary.count)")
    }
  }

  /// A user whose objects are not in the file after the logout was acknowledged.
  private func writeUser() async {
    guard let store = await again("open user", { try files.open(files.user) }) else { return }
    let json = #"{"id":"c1","email":"\#(DiskFiles.secret)"}"#
    _ = await once("user") {
      try await store.write(json: Array(json.utf8), as: Storefront.Customer.self)
    }
    guard let report = await again("logout", { try await store.logout() }) else { return }
    if report.erasureError != nil {
      guard await again("erase", { try await store.eraseDeletedData() }) != nil else { return }
    }
    say("logout")
  }

  private func writeCache() async {
    let storage = Graph.DiskStorage(directory: files.cache, capacity: 100_000)
    for key in 0..<6 {
      let stored: Void? = await once("cache") {
        try await storage.store(DiskFiles.response(key), for: DiskFiles.cacheKey(key))
      }
      if stored != nil { say("cached \(key)") }
    }
  }

  private func writeValues() {
    let storage = PropertyListFileStorage()
    for value in 0..<4 {
      do {
        try storage.write(value, to: files.value)
        say("value \(value)")
      } catch { note("value", error) }
    }
  }

  private func once<T>(_ step: String, _ body: () async throws -> T) async -> T? {
    do { return try await body() } catch {
      note(step, error)
      return nil
    }
  }

  /// A disk that failed once works the next time.
  private func again<T>(_ step: String, _ body: () async throws -> T) async -> T? {
    for _ in 0..<3 { if let result = await once(step, body) { return result } }
    return nil
  }

  private func note(_ step: String, _ error: any Error) {
    switch error {
    case let error as Graph.StoreError: say("error \(step) StoreError.\(error.code)")
    case let error as Graph.OutboxError: say("error \(step) OutboxError.\(error.code)")
    case is CocoaError, is POSIXError: say("error \(step) \(type(of: error))")
    default:
      fail("\(step) threw \(type(of: error)), which is not an error of the library: \(error)")
    }
  }
}
