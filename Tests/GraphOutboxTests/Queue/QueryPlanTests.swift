import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphOutbox
@testable import GraphStore

/// The cost of an operation does not depend on the length of the queue: no statement reads a whole
/// table, or sorts.
struct QueryPlanTests {
  private final class Statements: Sendable {
    let texts = Locked<Set<String>>([])
  }

  @Test func noStatementScansATable() async throws {
    let statements = Statements()
    let queue = try await TestQueue { event in
      guard case .run(let sql) = event, sql.contains("outbox_"), !sql.hasPrefix("CREATE"),
        !sql.hasPrefix("ALTER")
      else { return }
      statements.texts.withLock { _ = $0.insert(sql) }
    }
    let key = Graph.TemporaryKey.make().rawValue
    try await queue.enqueue("create", "Cart:\(key)")
    try await queue.enqueue("save", "Cart:\(key)", .save, variables: ["id": .string(key)])
    try await queue.enqueue("again", "Cart:\(key)", .save, variables: ["id": .string(key)])
    try await queue.enqueue("late", "Cart:\(key)")
    #expect(try await queue.claim() == "create")
    try await queue.settle("create", .retry(after: .zero, RefusalCount()))
    #expect(try await queue.claim() == "create")
    try await queue.receive("create", key: "1")
    try await queue.finish("save", .cancelled)
    try await queue.write { writer in
      try writer.recover()
      try writer.endOwnDelays()
      try writer.prune(olderThan: 1)
      _ = try writer.nextReady()
      _ = try writer.operations(.delivered)
      try writer.retry(require(writer.operation(id: "late")))
    }
    let texts = statements.texts.withLock { $0 }
    #expect(texts.count > 20)
    for text in texts {
      let steps = try queue.store.rows("EXPLAIN QUERY PLAN \(text)", []) { $0.text(3) }
      let slow = steps.filter { $0.hasPrefix("SCAN outbox_") || $0.contains("TEMP B-TREE") }
      // One index contains only operations that may be sent, and its first row is the next one. The
      // other index contains operations that were sent and have not ended.
      let partial = ["USING INDEX outbox_ready", "USING INDEX outbox_open"]
      #expect(
        slow.allSatisfy { step in partial.contains { step.contains($0) } }, "\(text): \(slow)")
    }
  }
}
