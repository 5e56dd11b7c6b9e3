import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox
@testable import GraphStore

/// Random programs of optimistic writes, responses, refusals, crashes and changes on the server,
/// compared with a model. `TREESWIFT_PROGRAMS` is their number; see Tests/run outbox-crash.
struct ModelProgramTests {
  private static let count =
    ProcessInfo.processInfo.environment["TREESWIFT_PROGRAMS"].flatMap(UInt64.init) ?? 60

  @Test func randomProgramsMatchTheModel() async throws {
    for seed in 1...max(Self.count, 1) {
      var program = try await ModelProgram(seed: seed)
      try await program.run(steps: 40)
    }
  }
}

/// One program, with its queue and store.
private struct ModelProgram {
  private let seed: UInt64
  private var random: SeededGenerator
  private let queue: TestQueue
  private var model = Model()
  /// The current keys of the model's carts.
  private var keys: [String: String] = [:]
  private var counter = 0

  init(seed: UInt64) async throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    queue = try await TestQueue()
    for cart in ["A", "B"] {
      keys[cart] = "gid://Cart/\(cart)"
      model.addCart(cart, note: "first")
      try await storeServerState(of: cart)
    }
  }

  mutating func run(steps: Int) async throws {
    for step in 0..<steps {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<5: try await write()
      case 5: try await create()
      case 6: try await delete()
      case 7..<11: _ = try await claim()
      case 11..<16: try await settle()
      case 16, 17: try await news()
      case 18: try await cancel()
      default:
        try await queue.crash()
        model.crash()
      }
      try compare("step \(step)")
    }
    // The connection works again.
    while let operation = model.queue.first(where: \.isInTransit) { try await end(operation) }
    while let operation = try await claim() { try await end(operation) }
    #expect(model.queue.isEmpty, "seed \(seed): \(model.queue.count) operations are stuck")
    for cart in keys.keys where model.server[cart] != nil { try await storeServerState(of: cart) }
    try compare("the end")
    #expect(model.stored == model.server, "seed \(seed)")
    for table in [
      "outbox_operation", "outbox_wait", "outbox_mention", "overlay_base", "overlay_patch",
    ] {
      let rows = try queue.store.rows("SELECT count(*) FROM \(table)", []) { $0.integer(0) }
      #expect(rows == [0], "seed \(seed): \(table) has rows")
    }
  }

  private func compare(_ moment: String) throws {
    for (cart, key) in keys {
      let seen = try queue.store.object(Storefront.Cart.self, key: key)?.note
      let expected = model.note(of: cart)
      #expect(seen == expected, "seed \(seed), \(moment): cart \(cart)")
      if seen != expected { throw Difference() }
    }
  }

  struct Difference: Error {}

  private mutating func next() -> String {
    counter += 1
    return "\(counter)"
  }

  private mutating func write() async throws {
    guard let cart = model.carts.randomElement(using: &random) else { return }
    let note = "note \(next())"
    try await enqueue(
      cart, .update(note), isSave: Bool.random(using: &random), .update(["note": .string(note)]))
  }

  private mutating func create() async throws {
    let cart = "new \(next())"
    keys[cart] = Graph.TemporaryKey.make().rawValue
    model.addCart(cart, note: nil)
    try await enqueue(cart, .create("new"), isSave: false, .create(["note": "new"]))
  }

  private mutating func delete() async throws {
    guard let cart = model.carts.randomElement(using: &random) else { return }
    try await enqueue(cart, .delete, isSave: false, .delete)
  }

  private mutating func enqueue(
    _ cart: String, _ effect: Model.Operation.Effect, isSave: Bool,
    _ optimistic: Graph.OptimisticChange
  ) async throws {
    let key = try #require(keys[cart])
    let isNew = if case .create = effect { true } else { false }
    let operation = Model.Operation(
      id: next(), cart: cart, effect: effect, isSave: isSave,
      needsCart: !isNew && Graph.TemporaryKey.isTemporary(key))
    let place = model.replaced(by: operation)
    let id = try await queue.enqueue(
      operation.id, "Cart:\(key)", isSave ? .save : .mutation, variables: ["id": .string(key)],
      optimistic: optimistic)
    #expect(id == place.map { model.queue[$0].id } ?? operation.id, "seed \(seed)")
    model.enqueue(operation)
  }

  private mutating func claim() async throws -> Model.Operation? {
    guard let id = try await queue.claim() else { return nil }
    model.claim(id)
    return try require(model.operation(id))
  }

  private mutating func settle() async throws {
    let inTransit = model.queue.filter(\.isInTransit)
    guard let operation = inTransit.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try await reject(operation)
    case 1:
      try await queue.settle(operation.id, .retry(after: .zero, RefusalCount()))
      model.retry(operation.id)
    default: try await end(operation)
    }
  }

  /// The server carries it out, or refuses an impossible change.
  private mutating func end(_ operation: Model.Operation) async throws {
    guard model.isPossible(operation) else { return try await reject(operation) }
    model.receive(operation)
    if case .create = operation.effect { keys[operation.cart] = "gid://Cart/\(operation.cart)" }
    let response: JSON = [
      "data": ["cartNoteUpdate": ["cart": try json(operation.cart), "userErrors": []]]
    ]
    try await queue.settle(operation.id, .deliver, response: response.description)
    if Int.random(in: 0..<8, using: &random) == 0 {
      try await queue.crash()
      model.crash()
    }
    try await queue.write { try $0.receive(require($0.operation(id: operation.id)), nil) }
  }

  private mutating func reject(_ operation: Model.Operation) async throws {
    try await queue.settle(operation.id, .reject(Graph.RejectionReason(message: "no")))
    model.drop(operation)
  }

  private mutating func cancel() async throws {
    let open = model.queue.filter { !$0.isInTransit }
    guard let operation = open.randomElement(using: &random) else { return }
    try await queue.finish(operation.id, .cancelled)
    model.drop(operation)
  }

  /// Another user has changed a cart, and the store receives the change.
  private mutating func news() async throws {
    let known = model.server.keys.filter { !Graph.TemporaryKey.isTemporary(keys[$0] ?? "") }
      .sorted()
    guard let cart = known.randomElement(using: &random) else { return }
    if Bool.random(using: &random) { model.server[cart] = "theirs \(next())" }
    model.stored[cart] = model.server[cart]
    try await storeServerState(of: cart)
  }

  private func storeServerState(of cart: String) async throws {
    try await queue.store.write(
      json: Array(try json(cart).description.utf8), as: Storefront.Cart.self)
  }

  private func json(_ cart: String) throws -> JSON {
    guard let note = model.server[cart] else { return .null }
    return ["id": .string(try #require(keys[cart])), "note": .string(note)]
  }
}
