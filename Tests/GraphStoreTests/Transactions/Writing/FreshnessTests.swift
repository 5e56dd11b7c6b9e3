import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct FreshnessTests {
  private let club = Sample.buildQuery { $0.club(id: "1") { $0.id().name() } }
  private let product = Sample.buildQuery { $0.product(id: "1") { $0.id().title() } }

  /// A store with a clock of its own, which starts at second 1,000.
  private func store(
    _ kind: StoreKind, _ policies: [String: Graph.TypePolicy] = [:]
  ) throws -> (Graph.Store, Locked<Int64>) {
    let seconds = Locked<Int64>(1000)
    var configuration = Graph.Store.Configuration(policies: policies)
    configuration.now = { seconds.withLock { $0 * 1000 } }
    return (try kind.make(configuration), seconds)
  }

  @Test(arguments: StoreKind.allCases)
  func reportsTheAgeOfAResponse(kind: StoreKind) async throws {
    let (store, clock) = try store(kind)
    try await store.write(club, #"{"club":{"id":"1","name":"a"}}"#)
    clock.withLock { $0 += 30 }
    let operation = try club.operation()
    #expect(try store.response(to: operation, maximumAge: nil)?.age == .seconds(30))
    #expect(try store.response(to: operation, maximumAge: .seconds(31)) != nil)
    #expect(try store.response(to: operation, maximumAge: .seconds(30)) == nil)
  }

  /// The server has sent the objects no more often than before.
  @Test(arguments: StoreKind.allCases)
  func aLocalChangeDoesNotMakeAnObjectFresh(kind: StoreKind) async throws {
    let policies = ["Club": Graph.TypePolicy(inverses: ["persons": "club"])]
    let (store, clock) = try store(kind, policies)
    try await store.write(club, #"{"club":{"id":"1","name":"a"}}"#)
    try await store.write(product, #"{"product":{"id":"1","title":"a"}}"#)
    clock.withLock { $0 += 30 }
    let club = GraphQL.EntityKey(typeName: "Club", key: "1")
    let product = GraphQL.EntityKey(typeName: "Product", key: "1")
    try await store.write {
      try $0.apply([.update(club, ["name": "b"]), .update(product, ["title": "b"])])
      try $0.apply(
        .create(
          GraphQL.EntityKey(typeName: "Person", key: "p"), ["name": "Ann", "club": ["id": "1"]]))
    }
    let changed = try store.read(self.club)
    #expect(
      try changed.data?.club?.name == "b" && store.read(self.product).data?.product?.title == "b")
    for operation in [try self.club.operation(), try self.product.operation()] {
      #expect(try store.response(to: operation, maximumAge: nil)?.age == .seconds(30))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func appliesTheMaximumAgeOfAType(kind: StoreKind) async throws {
    // `Product` has a maximum age of 60 seconds in graphql-generator.json, `Club` has none.
    let (store, clock) = try store(kind)
    try await store.write(club, #"{"club":{"id":"1","name":"a"}}"#)
    try await store.write(product, #"{"product":{"id":"1","title":"a"}}"#)
    clock.withLock { $0 += 59 }
    #expect(try store.response(to: product.operation(), maximumAge: nil) != nil)
    clock.withLock { $0 += 1 }
    #expect(try store.response(to: product.operation(), maximumAge: nil) == nil)
    #expect(try store.read(product).data != nil)
    clock.withLock { $0 += 1_000_000 }
    #expect(try store.response(to: club.operation(), maximumAge: nil) != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func theStorePolicyOverridesTheSchemaPolicy(kind: StoreKind) async throws {
    let (store, clock) = try store(kind, ["Product": Graph.TypePolicy(maximumAge: .seconds(3600))])
    try await store.write(product, #"{"product":{"id":"1","title":"a"}}"#)
    clock.withLock { $0 += 3599 }
    #expect(try store.response(to: product.operation(), maximumAge: nil) != nil)
    clock.withLock { $0 += 1 }
    #expect(try store.response(to: product.operation(), maximumAge: nil) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func anUnchangedResponseResetsTheAge(kind: StoreKind) async throws {
    let (store, clock) = try store(kind)
    let data = #"{"product":{"id":"1","title":"a"}}"#
    try await store.write(product, data)
    clock.withLock { $0 += 100 }
    let record = try await store.write(product, data)
    #expect(record.isEmpty)
    #expect(try store.response(to: product.operation(), maximumAge: nil)?.age == .zero)
    clock.withLock { $0 += 59 }
    #expect(try store.response(to: product.operation(), maximumAge: nil) != nil)
  }

  @Test func repeatedUnchangedResponsesWriteNothingForAMinute() async throws {
    let statements = Locked<[String]>([])
    let seconds = Locked<Int64>(1000)
    var configuration = Graph.Store.Configuration()
    configuration.now = { seconds.withLock { $0 * 1000 } }
    configuration.recorder = { event in
      if case .run(let sql) = event { statements.withLock { $0.append(sql) } }
    }
    let store = try StoreKind.file.make(configuration)
    let data = #"{"club":{"id":"1","name":"a"}}"#
    try await store.write(club, data)
    func notes() -> Int {
      statements.withLock { $0.filter { $0 == SQL.noteArrival.text }.count }
    }
    // The first time, the row's time decides, which is less than a minute old.
    try await store.write(club, data)
    let first = notes()
    for _ in 0..<10 {
      seconds.withLock { $0 += 1 }
      try await store.write(club, data)
    }
    #expect(notes() == first)
    seconds.withLock { $0 += 60 }
    try await store.write(club, data)
    #expect(notes() == first + 2)  // The club and the root.
    #expect(try store.response(to: club.operation(), maximumAge: nil)?.age == .zero)
  }

  @Test func aRolledBackTransactionDoesNotResetTheAge() async throws {
    struct Undo: Error {}
    let (store, clock) = try store(.file)
    let data = #"{"club":{"id":"1","name":"a"}}"#
    try await store.write(club, data)
    clock.withLock { $0 += 100 }
    let operation = try club.operation()
    let response = try operation.response(from: Array("{\"data\":\(data)}".utf8))
    await #expect(throws: Undo.self) {
      try await store.write { transaction in
        try transaction.write(response, of: operation)
        throw Undo()
      }
    }
    #expect(try store.response(to: operation, maximumAge: nil)?.age == .seconds(100))
    try await store.write(response, of: operation)
    #expect(try store.response(to: operation, maximumAge: nil)?.age == .zero)
  }

  @Test(arguments: StoreKind.allCases)
  func objectsWithTimestampsInTheFutureAreExpired(kind: StoreKind) async throws {
    let (store, clock) = try store(kind)
    let data = #"{"product":{"id":"1","title":"a"}}"#
    let operation = try product.operation()
    try await store.write(product, data)
    clock.withLock { $0 -= 60 }
    // A correction of the clock up to this size has no effect.
    #expect(try store.response(to: operation, maximumAge: nil)?.age == .zero)
    clock.withLock { $0 -= 1 }
    #expect(try store.response(to: operation, maximumAge: nil) == nil)
    #expect(try store.read(product).data != nil)
    // An object that arrives again is fresh, and ages by the current clock.
    try await store.write(product, data)
    #expect(try store.response(to: operation, maximumAge: nil)?.age == .zero)
    clock.withLock { $0 += 60 }
    #expect(try store.response(to: operation, maximumAge: nil) == nil)
  }
}
