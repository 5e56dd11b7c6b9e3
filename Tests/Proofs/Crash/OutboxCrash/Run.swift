import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// One run of a program that queues writes and sends them, until it has sent all of them or is
/// killed.
struct Run {
  let outbox: Graph.Outbox
  let store: Graph.Store

  init(file: String, endpoint: URL, isPaused: Bool = false) async throws {
    store = try Graph.Store(
      schema: Storefront.schema, file: URL(filePath: file),
      configuration: .init(policies: ["Cart": Graph.TypePolicy(persistence: .persistent)]))
    var configuration = Graph.Outbox.Configuration()
    configuration.backoff = Graph.Backoff(base: .milliseconds(1), maximum: .milliseconds(4))
    configuration.startsPaused = isPaused
    let client = Graph.Client(
      endpoint: endpoint, headers: ["X-Process": "\(ProcessInfo.processInfo.processIdentifier)"])
    outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
  }

  /// Queues writes of every kind and prints each: a cart that the server creates once, a note on
  /// it, and a note that must not be repeated.
  func work(_ label: String, count: Int) async throws {
    for number in 0..<count {
      let name = "\(label)-\(number)"
      let id = Graph.TemporaryKey.make()
      acknowledge(
        "safe", name,
        try await outbox.queue(
          creation(name), for: cart(id), optimistic: .create(["note": .string(name)])))
      acknowledge(
        "after", name,
        try await outbox.queue(
          note("after:\(name)", id), for: cart(id), optimistic: .update(["note": "after"])))
      acknowledge(
        "unsafe", name,
        try await outbox.queue(
          note("unsafe:\(name)", GraphQL.ID(rawValue: "fixed-\(name)")),
          for: cart(GraphQL.ID(rawValue: "fixed-\(name)")), optimistic: .update(["note": "x"])))
    }
    await outbox.flush()
  }

  /// Sends until nothing more can be sent, and prints the end of every operation.
  func report() async throws {
    while true {
      await outbox.flush()
      // Operations that wait for the end of a delay are sent soon.
      if try queued().allSatisfy({ $0.state == "uncertain" }) { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    for receipt in try outbox.receipts() { print(receipt.operation, receipt.state) }
    for operation in try queued() { print(operation.id, operation.state) }
    let patches = try store.rows("SELECT DISTINCT change FROM overlay_patch", []) { $0.integer(0) }
    print("overlays", patches.count)
  }

  private func queued() throws -> [(id: String, state: String, name: String)] {
    try store.rows("SELECT id, state, name FROM outbox_operation ORDER BY seq", []) {
      ($0.text(0), $0.text(1), $0.text(2))
    }
  }

  /// Starts sending, and kills this process after the n-th transition to a state.
  func dies(after state: String, _ count: Int) async {
    let steps = outbox.transitions()
    Task.detached(priority: .high) {
      var left = count
      for await step in steps where step.to.rawValue == state {
        left -= 1
        if left == 0 { kill(ProcessInfo.processInfo.processIdentifier, SIGKILL) }
      }
    }
    await outbox.resume()
  }

  private func acknowledge(_ kind: String, _ name: String, _ operation: String) {
    FileHandle.standardOutput.write(Data("\(kind) \(name) \(operation)\n".utf8))
  }

  private func cart(_ id: GraphQL.ID) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: "Cart", key: id.rawValue)
  }

  private func creation(_ name: String) -> Storefront.MutationQuery {
    Storefront.buildMutation(named: "Create") {
      $0
        .cartCreate(
          input: Storefront.CartInput(note: "safe:\(name)"),
          idempotencyKey: Graph.Outbox.idempotencyKeyPlaceholder
        ) {
          $0.cart { $0.id().note() }.userErrors { $0.message().code() }
        }
    }
  }

  private func note(_ note: String, _ id: GraphQL.ID) -> Storefront.MutationQuery {
    Storefront.buildMutation(named: "Note") {
      $0.cartNoteUpdate(cartId: id, note: note) {
        $0.cart { $0.id().note() }.userErrors { $0.message().code() }
      }
    }
  }
}
