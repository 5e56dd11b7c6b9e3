import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// One of the processes of `Tests/run soak`: two stores of one file, an outbox that the
/// processes use alternately, and tokens that expire. It prints what was acknowledged, and reads
/// commands from its standard input: `logout` and `stop`.
final class SoakRun: Sendable {
  /// Part of all data of a user, which a logout deletes everywhere.
  static let secret = "SOAK+c4nary/5ecret=="

  private let file: URL
  private let endpoint: URL
  private let label: String
  private let stores: [Graph.Store]
  private let isStopping = Locked(false)

  /// - Parameter label: distinguishes the writes of this process from those of others.
  init(file: URL, endpoint: URL, label: String) async throws {
    self.file = file
    self.endpoint = endpoint
    self.label = label
    stores = [try await Self.open(file), try await Self.open(file)]
  }

  /// Carts are transient in the schema's table; here they are stored. A disk that fails works the
  /// next time.
  static func open(_ file: URL) async throws -> Graph.Store {
    while true {
      do {
        return try DiskFiles(folder: file.deletingLastPathComponent()).open(file)
      } catch let error as Graph.StoreError {
        say("error open \(error.code)")
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  func run() async {
    let commands = Thread { [self] in
      while let line = readLine() {
        switch line {
        case "logout": Task { await logout() }
        default: isStopping.withLock { $0 = true }
        }
      }
      isStopping.withLock { $0 = true }
    }
    commands.start()
    await withTaskGroup { group in
      for number in 0..<4 { group.addTask { await self.writeProducts("\(self.label)-\(number)") } }
      group.addTask { await self.writeCustomers() }
      group.addTask { await self.sendInTurns() }
    }
    say("stopped")
  }

  private var stops: Bool { isStopping.withLock { $0 } }

  // MARK: Stores

  /// Writes numbers that grow through one store, and reads them through the other.
  private func writeProducts(_ key: String) async {
    var number = Int(Date().timeIntervalSince1970 * 1000)
    while !stops {
      number += 1
      let title = "\(number) " + String(repeating: "x", count: Int.random(in: 0..<3000))
      let json = #"{"id":"\#(key)","title":"\#(title)"}"#
      let writer = Int.random(in: 0...1)
      let isWritten: Void? = await once("product") {
        try await stores[writer].write(json: Array(json.utf8), as: Storefront.Product.self)
      }
      guard isWritten != nil else { continue }
      say("wrote \(key) \(number)")
      await once("read") {
        let found = try stores[1 - writer].object(Storefront.Product.self, key: key)?.title
        guard let found else { return say("gone \(key)") }
        require(found == title, "\(key) is \(found.prefix(20)) and not \(title.prefix(20))")
      }
    }
  }

  private func writeCustomers() async {
    var number = 0
    while !stops {
      number += 1
      let json = #"{"id":"\#(label)-\#(number % 50)","email":"\#(number)\#(Self.secret)"}"#
      await once("customer") {
        _ = try await stores[number % 2].write(
          json: Array(json.utf8), as: Storefront.Customer.self)
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  private func logout() async {
    say("logging out")
    while true {
      let report = await once("logout") { try await stores[0].logout(.everything) }
      guard let report else { continue }
      for work in report.unsent { say("unsent \(work.id)") }
      if let error = report.erasureError {
        say("error logout StoreError.\(error.code)")
        while await once("erase", { try await stores[0].eraseDeletedData() }) == nil {}
      }
      return say("logged out")
    }
  }

  // MARK: Outboxes

  /// Opens the outbox as soon as no other process has it, and closes it after some seconds.
  private func sendInTurns() async {
    while !stops {
      let opened = await once("outbox") { try await outbox() }
      guard let opened else {
        try? await Task.sleep(for: .milliseconds(100))
        continue
      }
      say("opened")
      let end = ContinuousClock.now + .seconds(Int.random(in: 1...5))
      var number = Int(Date().timeIntervalSince1970 * 1000)
      while !stops, ContinuousClock.now < end {
        number += 1
        await queue(number, in: opened)
        try? await Task.sleep(for: .milliseconds(Int.random(in: 2...20)))
      }
      await opened.close()
      say("closed")
      // Now the other process can open it.
      try? await Task.sleep(for: .milliseconds(300))
    }
  }

  /// Notes on a few carts, which may be repeated and arrive in order, and notes on a cart of their
  /// own, which must not be repeated.
  private func queue(_ number: Int, in outbox: Graph.Outbox) async {
    await once("queue") {
      guard try outbox.summary().count < 100 else { return }
      let isSafe = number % 3 != 0
      let cart = GraphQL.ID(rawValue: isSafe ? "\(label)/\(number % 5)" : "\(label)/u\(number)")
      let note = "\(number)\(Self.secret)"
      let operation = try await outbox.queue(
        Notes.mutation(cart, note), for: Notes.key(cart), isIdempotent: isSafe)
      say("queued \(operation) \(isSafe ? "safe" : "unsafe") \(cart.rawValue) \(number)")
    }
  }

  private func outbox() async throws -> Graph.Outbox {
    let transport = Graph.CurlTransport()
    let tokens = endpoint.deletingLastPathComponent().appending(path: "token")
    let refresher = Graph.TokenRefresher(refreshTimeout: .seconds(2)) {
      let response = try await transport.send(
        .init(method: .get, url: tokens, timeout: .seconds(1)))
      return try await response.body.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
    }
    var configuration = Graph.ClientConfiguration()
    configuration.attemptTimeout = .seconds(2)
    let client = Graph.Client(
      endpoint: endpoint, transport: transport, interceptors: [refresher],
      configuration: configuration)
    return try await Self.outbox(stores[Int.random(in: 0...1)], client)
  }

  static func outbox(_ store: Graph.Store, _ client: Graph.Client) async throws -> Graph.Outbox {
    var configuration = Graph.Outbox.Configuration()
    configuration.backoff = Graph.Backoff(base: .milliseconds(20), maximum: .milliseconds(400))
    configuration.lockTimeout = .zero
    return try await Graph.Outbox(store: store, client: client, configuration: configuration)
  }

  /// An error ends only the step that throws it.
  @discardableResult
  private func once<T>(_ step: String, _ body: () async throws -> T) async -> T? {
    do { return try await body() } catch let error as Graph.StoreError {
      say("error \(step) StoreError.\(error.code)")
    } catch let error as Graph.OutboxError {
      if error.code != .alreadyOpen { say("error \(step) OutboxError.\(error.code)") }
    } catch is GraphQL.StaleGeneration {
      // The user logged out between the request and its turn.
      say("error \(step) StaleGeneration")
    } catch {
      fail("\(step) threw \(type(of: error)), which is not an error of the library: \(error)")
    }
    return nil
  }
}

/// Sends the remaining operations while disk and network work, prints the state, and logs out.
struct SoakReport {
  let file: URL
  let endpoint: URL

  func run() async throws {
    let store = try await SoakRun.open(file)
    require(
      store.recovery == nil, "the file was moved aside: \(String(describing: store.recovery))")
    let outbox = try await SoakRun.outbox(store, Graph.Client(endpoint: endpoint))
    var open = try states(in: store)
    while open.contains(where: { $0.state != "uncertain" }) {
      await outbox.flush()
      try await Task.sleep(for: .milliseconds(20))
      open = try states(in: store)
    }
    for receipt in try outbox.receipts() { say("state \(receipt.operation) \(receipt.state)") }
    for operation in open { say("state \(operation.id) \(operation.state)") }
    for product in try store.fetch(Storefront.Product.self).all() {
      say("product \(product.id.rawValue) \(product.title.split(separator: " ").first ?? "")")
    }
    await outbox.close()
    _ = try await store.logout(.everything)
    require(try store.counts().values.allSatisfy { $0 == 0 }, "objects are left after the logout")
    say("reported")
  }

  private func states(in store: Graph.Store) throws -> [(id: String, state: String)] {
    try store.rows("SELECT id, state FROM outbox_operation", []) { ($0.text(0), $0.text(1)) }
  }
}
