import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct LogoutTests {
  private let secret = "7d1f-secret-token"
  private let mine = Sample.buildQuery { $0.me(token: "7d1f-secret-token") { $0.id().email() } }

  private func fill(_ store: Graph.Store) async throws {
    try await store.write(mine, #"{"me":{"id":"m","email":"\#(secret)@a.b"}}"#)
    try await store.write(
      json: Array(
        #"{"id":"k","lines":[],"customer":{"id":"m","email":"\#(secret)@a.b"}}"#.utf8),
      as: Sample.Checkout.self)
    try await store.write(
      json: Array(#"{"id":"1","title":"Chair"}"#.utf8), as: Sample.Product.self)
  }

  @Test(arguments: StoreKind.allCases)
  func descriptionsOfAStoreDoNotContainItsObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    try await fill(store)
    var text = "\(store) \(String(reflecting: store))"
    dump(store, to: &text)
    #expect(text.hasPrefix("Store("))
    #expect(!text.contains(secret) && !text.contains("Chair"))
  }

  @Test(arguments: StoreKind.allCases)
  func deletesTheUsersObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    try await fill(store)
    var changes = try store.changes(of: Sample.Customer.self).makeAsyncIterator()
    let report = try await store.logout()
    #expect(report.unsent == [])
    #expect(Set(report.deleted.map(\.description)) == ["Query:", "Customer:m", "Checkout:k"])
    #expect(try store.counts() == ["Product": 1])
    #expect(await changes.next()?.deleted.count == 1)
    try await fill(store)
    try await store.logout(.everything)
    #expect(try store.counts() == [:])
  }

  @Test func leavesNoTraceInTheFiles() async throws {
    let folder = try TemporaryFolder()
    let store = try Graph.Store(schema: Sample.schema, file: folder.file())
    func holdsSecret() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { name in
        try Data(contentsOf: folder.file(name)).range(of: Data(secret.utf8)) != nil
      }
    }
    try await fill(store)
    #expect(try holdsSecret())
    try await store.logout()
    #expect(try holdsSecret() == false)
    #expect(try store.contains(Sample.Product.self, key: "1"))
  }

  /// Otherwise, requests that are created while a logout is committed would count as those of the next user.
  @Test(arguments: StoreKind.allCases)
  func theGenerationIsNotNewerThanTheData(kind: StoreKind) async throws {
    let store = try kind.make()
    for _ in 0..<50 {
      try await fill(store)
      let former = store.generation
      let isFinished = Locked(false)
      let reader = Task.detached {
        var rounds = 0
        while !isFinished.withLock({ $0 }) {
          let generation = store.generation
          if try store.contains(Sample.Customer.self, key: "m"), generation != former { return -1 }
          rounds += 1
          await Task.yield()
        }
        return rounds
      }
      try await store.logout()
      isFinished.withLock { $0 = true }
      #expect(try await reader.value >= 0)
      #expect(store.generation != former)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func refusesLateResponses(kind: StoreKind) async throws {
    let store = try kind.make()
    let operation = try mine.operation()
    let response = try operation.response(
      from: Array(#"{"data":{"me":{"id":"m","email":"x"}}}"#.utf8))
    let generation = store.generation
    try await store.write(response, of: operation, in: generation)
    try await store.logout()
    await #expect(throws: GraphQL.StaleGeneration.self) {
      try await store.write(response, of: operation, in: generation)
    }
    #expect(try store.counts() == [:])
    try await store.write(response, of: operation, in: store.generation)
    #expect(try store.counts()["Customer"] == 1)
  }

  @Test func refusesLateResponsesInOtherProcessesAndAfterARestart() async throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file)
    let other = try Graph.Store(schema: Sample.schema, file: file)
    let operation = try mine.operation()
    let response = try operation.response(
      from: Array(#"{"data":{"me":{"id":"m","email":"x"}}}"#.utf8))
    let generation = other.generation
    try await store.logout()
    await #expect(throws: GraphQL.StaleGeneration.self) {
      try await other.write(response, of: operation, in: generation)
    }
    #expect(other.generation == store.generation)
    let next = try Graph.Store(schema: Sample.schema, file: file)
    #expect(next.generation == store.generation)
    #expect(try next.counts() == [:])
  }

  @Test func reportsAndClearsExtensionTables() async throws {
    let store = try StoreKind.file.make()
    let told = Locked<[[Graph.UnsentWork]]>([])
    let token = store.onLogout { unsent in told.withLock { $0.append(unsent ?? []) } }
    try await store.write { transaction in
      try transaction.execute("CREATE TABLE mail(id TEXT, entity TEXT) STRICT")
      try transaction.register(
        extensionTables: ["mail"],
        unsentWork: "SELECT id, entity, 'Send' AS name, 'waiting' AS state FROM mail")
      try transaction.execute("INSERT INTO mail VALUES('a', 'Cart:1')")
    }
    let work = Graph.UnsentWork(
      id: "a", entity: GraphQL.EntityKey(typeName: "Cart", key: "1"), name: "Send", state: "waiting"
    )
    #expect(try await store.logout().unsent == [work])
    #expect(try store.rows("SELECT id FROM mail", []) { $0.text(0) } == [])
    try await store.write { try $0.execute("INSERT INTO mail VALUES('b', 'Cart:2')") }
    try await store.logout(.everything)
    #expect(try store.rows("SELECT id FROM mail", []) { $0.text(0) } == [])
    withExtendedLifetime(token) {
      #expect(told.withLock { $0.map { $0.map(\.id) } } == [["a"], ["b"]])
    }
  }
}
