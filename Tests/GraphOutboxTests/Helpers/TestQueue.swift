import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport

@testable import GraphOutbox
@testable import GraphStore

/// A queue in a separate file, with a clock that the test sets.
final class TestQueue {
  let file: URL
  private(set) var store: Graph.Store
  /// The stores of runs that crashed, which are never closed.
  private var abandoned: [Graph.Store] = []
  /// By the clock that cannot be set.
  var now: Int64 = 1_000_000
  /// By the wall clock.
  var wall: Int64 = 1_000_000

  init(recorder: SQLRecorder? = nil) async throws {
    file = try TemporaryFolder().file()
    var configuration = Self.configuration
    configuration.recorder = recorder
    store = try Graph.Store(schema: Storefront.schema, file: file, configuration: configuration)
    try await write { try $0.createTables() }
  }

  /// Carts are transient in the schema's table; here they are stored.
  private static let configuration = Graph.Store.Configuration(
    policies: ["Cart": Graph.TypePolicy(persistence: .persistent)])

  /// Opens the file again as a new run of the program does, while the old run still has it open.
  func crash() async throws {
    abandoned.append(store)
    store = try Graph.Store(
      schema: Storefront.schema, file: file, configuration: Self.configuration)
    try await write {
      try $0.createTables()
      try $0.recover()
    }
  }

  @discardableResult
  func write<T: Sendable>(
    _ body: @escaping @Sendable (inout QueueWriter) throws -> T
  ) async throws -> T {
    let now = QueueTime(wall: wall, uptime: now)
    return try await store.write { transaction in
      var writer = QueueWriter(transaction, now: now)
      return try body(&writer)
    }
  }

  @discardableResult
  func enqueue(
    _ id: String, _ entity: String, _ kind: NewOperation.Kind = .mutation, variables: JSON = [:],
    fields: String = "", isRepeatable: Bool = true, optimistic: Graph.OptimisticChange? = nil
  ) async throws -> String {
    let new = NewOperation(
      id: id, entity: GraphQL.EntityKey(entity)!, kind: kind, name: "", document: "mutation { a }",
      variables: variables, root: "Mutation", fields: fields, isRepeatable: isRepeatable,
      optimistic: optimistic)
    return try await write { try $0.enqueue(new) }
  }

  /// The ID of the next operation, which is then in progress.
  func claim() async throws -> String? { try await write { try $0.claim() }?.id }

  func settle(_ id: String, _ decision: AttemptDecision, response: String = "{}") async throws {
    try await write { try $0.settle(require($0.operation(id: id)), decision, response: response) }
  }

  /// Sends an operation to its end.
  func receive(_ id: String, key: String? = nil) async throws {
    try await settle(id, .deliver)
    try await write { try $0.finish(require($0.operation(id: id)), .received, key: key) }
  }

  /// Ends an operation with the response that it was delivered with.
  func receive(_ id: String, response: String) async throws {
    try await settle(id, .deliver, response: response)
    try await write { try $0.receive(require($0.operation(id: id)), nil) }
  }

  func finish(_ id: String, _ state: Graph.OperationState) async throws {
    try await write { try $0.finish(require($0.operation(id: id)), state) }
  }

  /// The states of the operations in the queue's order, and of the receipts after them by ID.
  func states() throws -> [String] {
    try store.rows("SELECT id, \(QueueTables.state) FROM outbox_operation ORDER BY seq", []) {
      "\($0.text(0)) \($0.text(1))"
    }
      + store.rows("SELECT id, state FROM outbox_receipt ORDER BY id", []) {
        "\($0.text(0)) \($0.text(1))"
      }
  }

  func variables(_ id: String) throws -> String? {
    try store.rows("SELECT variables FROM outbox_operation WHERE id = ?1", [.text(id)]) {
      $0.text(0)
    }.first
  }
}

/// A value that a closure needs, or an error.
func require<T>(_ value: T?) throws -> T {
  guard let value else { throw Graph.OutboxError(.unknownOperation, "it is not in the queue") }
  return value
}
