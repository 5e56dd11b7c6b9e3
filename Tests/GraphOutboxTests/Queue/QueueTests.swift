import GraphJSON
import GraphQLRuntime
import GraphStore
import Testing

@testable import GraphOutbox

struct QueueTests {
  @Test func operationsOfOneEntityAreSentInOrder() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    try await queue.enqueue("b", "Cart:1")
    try await queue.enqueue("c", "Cart:2")
    #expect(try await queue.claim() == "a")
    #expect(try await queue.claim() == "c")
    #expect(try await queue.claim() == nil)
    try await queue.receive("a")
    #expect(try await queue.claim() == "b")
  }

  @Test func cancellingAnOperationKeepsTheOrderOfTheOthers() async throws {
    let queue = try await TestQueue()
    for id in ["a", "b", "c"] { try await queue.enqueue(id, "Cart:1") }
    try await queue.finish("b", .cancelled)
    #expect(try await queue.claim() == "a")
    #expect(try await queue.claim() == nil)
    try await queue.receive("a")
    #expect(try await queue.claim() == "c")
    #expect(try queue.states() == ["c inTransit", "a received", "b cancelled"])
  }

  @Test func anUncertainOperationBlocksOnlyItsEntity() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    try await queue.enqueue("b", "Cart:1")
    try await queue.enqueue("c", "Cart:2")
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .markUncertain(Graph.RejectionReason(message: "m"), RefusalCount()))
    #expect(try await queue.claim() == "c")
    #expect(try await queue.claim() == nil)
  }

  @Test func anOperationIsNotClaimedBeforeItsDelayEnds() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .retry(after: .milliseconds(1500), RefusalCount()))
    #expect(try await queue.claim() == nil)
    #expect(try await queue.write { try $0.nextReady() } == 1_001_500)
    queue.now = 1_001_500
    #expect(try await queue.claim() == "a")
  }

  @Test(arguments: [-1_000_000, 1_000_000_000] as [Int64])
  func aDelayIsIndependentOfTheWallClock(jump: Int64) async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .retry(after: .milliseconds(1500), RefusalCount()))
    queue.wall += jump
    #expect(try await queue.claim() == nil)
    queue.now += 1500
    #expect(try await queue.claim() == "a")
  }

  @Test func waitingTimeCountsOnlyWaitsForBusyServers() async throws {
    let queue = try await TestQueue()
    let busy = Graph.RejectionReason(code: "http 429", message: "busy")
    try await queue.enqueue("a", "Cart:1")
    func attempt(_ waiting: Waiting, _ delay: Duration) async throws -> Duration {
      let operation = try await queue.write { try require($0.claim()) }
      try await queue.settle("a", .wait(busy, waiting, after: delay))
      return operation.waited
    }
    #expect(try await attempt(.server, .seconds(10)) == .zero)
    // The machine slept, which does not count as waiting.
    queue.now += 1_000_000
    #expect(try await attempt(.network, .seconds(10)) == .seconds(10))
    queue.now += 10_000
    #expect(try await attempt(.requested, .seconds(86_400)) == .seconds(10))
    // Another run sends at once, whatever delay the server has requested.
    try await queue.crash()
    #expect(try queue.states() == ["a waiting"])
    #expect(try await attempt(.server, .seconds(60)) == .seconds(10))
    queue.now += 20_000
    try await queue.write { try $0.endOwnDelays() }
    #expect(try await attempt(.requested, .seconds(60)) == .seconds(30))
    // A delay that the server has requested does not end when the network is available again.
    try await queue.write { try $0.endOwnDelays() }
    #expect(try await queue.claim() == nil)
    try await queue.write { try $0.retry(require($0.operation(id: "a"))) }
    #expect(try await attempt(.server, .zero) == .zero)
  }

  @Test func opensTheQueueOfAnEarlierVersion() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    try await queue.write { writer in
      try writer.transaction.execute("DROP VIEW unsent_work")
      try writer.transaction.execute("DROP INDEX outbox_receipt_entity")
      for (table, columns) in QueueTables.added {
        for column in columns {
          try writer.transaction.execute("ALTER TABLE \(table) DROP COLUMN \(column.name)")
        }
      }
    }
    try await queue.crash()
    #expect(try queue.states() == ["a pending"])
    #expect(try await queue.claim() == "a")
  }

  @Test func prunesReceiptsWithATimestampInTheFuture() async throws {
    let queue = try await TestQueue()
    queue.wall = 900_000
    try await queue.enqueue("a", "Cart:1")
    try await queue.finish("a", .cancelled)
    queue.wall = 500_000
    try await queue.write { try $0.prune(olderThan: 1000) }
    #expect(try queue.states() == ["a cancelled"])
    queue.wall = 501_001
    try await queue.write { try $0.prune(olderThan: 1000) }
    #expect(try queue.states() == [])
  }

  @Test func unsentSavesOfAnEntityAreMerged() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1", .save, variables: ["n": 1])
    try await queue.enqueue("x", "Cart:2")
    #expect(try await queue.enqueue("b", "Cart:1", .save, variables: ["n": 2]) == "a")
    #expect(try queue.variables("a") == #"{"n":2}"#)
    #expect(try queue.states() == ["a pending", "x pending"])
    // An operation that was sent is not changed any more, and the next one is queued after it.
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .retry(after: .zero, RefusalCount()))
    #expect(try await queue.enqueue("c", "Cart:1", .save, variables: ["n": 3]) == "c")
    #expect(try queue.variables("a") == #"{"n":2}"#)
    // A save does not overtake a transaction.
    try await queue.enqueue("t", "Cart:1")
    #expect(try await queue.enqueue("d", "Cart:1", .save, variables: ["n": 4]) == "d")
  }

  @Test func theServerKeyReplacesATemporaryKeyEverywhere() async throws {
    let queue = try await TestQueue()
    let key = Graph.TemporaryKey.make().rawValue
    try await queue.enqueue("create", "Cart:\(key)")
    try await queue.enqueue("update", "Cart:\(key)", variables: ["id": .string(key)])
    try await queue.enqueue("other", "Order:1", variables: ["cart": [.string(key)]])
    #expect(try queue.states() == ["create pending", "update blocked", "other blocked"])
    #expect(try await queue.claim() == "create")
    #expect(try await queue.claim() == nil)
    try await queue.receive("create", key: "gid://Cart/7")
    #expect(try queue.variables("update") == #"{"id":"gid://Cart/7"}"#)
    #expect(try queue.variables("other") == #"{"cart":["gid://Cart/7"]}"#)
    let update = try await queue.write { try require($0.operation(id: "update")) }
    #expect(update.entity.description == "Cart:gid://Cart/7")
    // A caller that still has the temporary key refers to the same object.
    try await queue.enqueue("late", "Cart:\(key)", variables: ["id": .string(key)])
    #expect(try queue.variables("late") == #"{"id":"gid://Cart/7"}"#)
    #expect(try await queue.claim() == "update")
    #expect(try await queue.claim() == "other")
    #expect(try await queue.claim() == nil)
  }

  /// An object type has become an interface since the operations were queued, so the response may have no `__typename`.
  @Test(arguments: [#"{"id":"7"}"#, #"{"__typename":"GiftCard","id":"7"}"#])
  func theKeyOfAnObjectWhoseTypeHasBecomeAnInterfaceIsRead(object: String) async throws {
    let queue = try await TestQueue()
    let key = Graph.TemporaryKey.make().rawValue
    try await queue.enqueue("create", "Sellable:\(key)")
    try await queue.enqueue("update", "Sellable:\(key)", variables: ["id": .string(key)])
    #expect(try await queue.claim() == "create")
    try await queue.receive(
      "create",
      response:
        #"{"data":{"cartLinesAdd":{"cart":{"id":"c","lines":[{"id":"l","merchandise":\#(object)}]}}}}"#
    )
    #expect(try queue.variables("update") == #"{"id":"7"}"#)
    #expect(try await queue.claim() == "update")
  }

  @Test func theReasonForAMissingKeyIsTheResponse() async throws {
    let queue = try await TestQueue()
    let key = Graph.TemporaryKey.make().rawValue
    try await queue.enqueue("create", "Sellable:\(key)")
    try await queue.enqueue("update", "Sellable:\(key)", variables: ["id": .string(key)])
    #expect(try await queue.claim() == "create")
    try await queue.receive("create", response: #"{"data":{"cartLinesAdd":{"cart":{"id":"c"}}}}"#)
    #expect(try queue.states() == ["create received", "update rejected"])
    let messages = try queue.store.rows(
      "SELECT message FROM outbox_receipt WHERE id = 'update'", []
    ) { $0.text(0) }
    #expect(
      messages == ["the response to an operation that it needs has no key of the created object"])
  }

  @Test func rejectingACreationRejectsDependentOperations() async throws {
    let queue = try await TestQueue()
    let key = Graph.TemporaryKey.make().rawValue
    try await queue.enqueue("create", "Cart:\(key)")
    try await queue.enqueue("update", "Cart:\(key)", variables: ["id": .string(key)])
    try await queue.enqueue("other", "Order:1", variables: ["cart": .string(key)])
    try await queue.enqueue("free", "Order:1")
    #expect(try await queue.claim() == "create")
    try await queue.settle("create", .reject(Graph.RejectionReason(message: "no")))
    #expect(
      try queue.states() == [
        "free pending", "create rejected", "other rejected", "update rejected",
      ])
    #expect(try await queue.claim() == "free")
    await #expect(throws: Graph.OutboxError.self) {
      try await queue.enqueue("late", "Order:2", variables: ["cart": .string(key)])
    }
  }

  @Test func anUnknownTemporaryKeyIsAnError() async throws {
    let queue = try await TestQueue()
    let key = Graph.TemporaryKey.make().rawValue
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await queue.enqueue("a", "Order:1", variables: ["cart": .string(key)])
    }
    #expect(error?.code == .unknownTemporaryKey)
    #expect(try queue.states() == [])
  }

  @Test func aCrashMarksUnrepeatableOperationsUncertain() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("safe", "Cart:1")
    try await queue.enqueue("unsafe", "Cart:2", isRepeatable: false)
    try await queue.enqueue("done", "Cart:3")
    try await queue.enqueue("later", "Cart:4")
    for id in ["safe", "unsafe", "done"] { #expect(try await queue.claim() == id) }
    try await queue.settle("done", .deliver)
    try await queue.crash()
    #expect(
      try queue.states() == ["safe pending", "unsafe uncertain", "done delivered", "later pending"])
    #expect(try await queue.claim() == "safe")
  }

  @Test func rejectsInvalidTransitions() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    #expect(try await queue.claim() == "a")
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await queue.finish("a", .cancelled)
    }
    #expect(error?.code == .invalidTransition)
    #expect(try queue.states() == ["a inTransit"])
  }

  @Test func opensDespiteAResponseThatCannotBeStored() async throws {
    let queue = try await TestQueue()
    for id in ["a", "b"] {
      try await queue.enqueue(id, "Cart:\(id)")
      #expect(try await queue.claim() == id)
      try await queue.settle(id, .deliver, response: #"{"data":{}}"#)
    }
    try await queue.enqueue("c", "Cart:a")
    try await queue.write {
      try $0.transaction.execute("UPDATE outbox_operation SET root = 'Nothing' WHERE id = 'a'")
    }
    let opened = OutboxQueue(store: queue.store, configuration: Graph.Outbox.Configuration())
    #expect(try await opened.open(receiptLifetime: .seconds(1), verifies: true).isEmpty)
    #expect(try queue.states() == ["c pending", "a received", "b received"])
    #expect(try await queue.claim() == "c")
  }

  @Test func openingReturnsTheOperationsToVerify() async throws {
    let queue = try await TestQueue()
    for id in ["a", "b"] {
      try await queue.enqueue(id, "Cart:\(id)", isRepeatable: false)
      #expect(try await queue.claim() == id)
    }
    try await queue.settle("b", .markUncertain(Graph.RejectionReason(message: "m"), RefusalCount()))
    let opened = OutboxQueue(store: queue.store, configuration: Graph.Outbox.Configuration())
    let unknown = try await opened.open(receiptLifetime: .seconds(1), verifies: true)
    #expect(unknown.map(\.id) == ["a", "b"])
  }

  /// The clock may have been wrong when the operation was rejected, or be wrong now.
  @Test func rejectedOperationsAreNeverPruned() async throws {
    let queue = try await TestQueue()
    for (id, outcome) in [("a", Graph.OperationState.rejected), ("b", .cancelled)] {
      try await queue.enqueue(id, "Cart:\(id)")
      try await queue.finish(id, outcome)
    }
    let opened = OutboxQueue(store: queue.store, configuration: Graph.Outbox.Configuration())
    let past = Duration.seconds(-100 * 365 * 86_400)
    _ = try await opened.open(receiptLifetime: past, verifies: false)
    try await opened.prune(olderThan: past)
    #expect(try queue.states() == ["a rejected"])
  }

  @Test func infiniteDurationsNeverExpire() async throws {
    let endless = Duration.seconds(Int64.max)
    #expect(Duration.milliseconds(1500).wholeMilliseconds == 1500)
    #expect(Duration.microseconds(-1500).wholeMilliseconds == -1)
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    try await queue.enqueue("b", "Cart:2")
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .retry(after: endless, RefusalCount()))
    #expect(try await queue.claim() == "b")
    #expect(try await queue.claim() == nil)
    try await queue.receive("b")
    let opened = OutboxQueue(store: queue.store, configuration: Graph.Outbox.Configuration())
    _ = try await opened.open(receiptLifetime: endless, verifies: false)
    try await opened.prune(olderThan: endless)
    #expect(try queue.states() == ["a pending", "b received"])
  }
}
