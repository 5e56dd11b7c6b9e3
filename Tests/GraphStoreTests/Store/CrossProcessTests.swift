import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Two stores with one file behave to each other like two processes.
@Suite struct CrossProcessTests {
  private func pair() throws -> (Graph.Store, Graph.Store) {
    let file = try TemporaryFolder().file()
    return (
      try Graph.Store(schema: Sample.schema, file: file),
      try Graph.Store(schema: Sample.schema, file: file)
    )
  }

  private func write(_ name: String, to store: Graph.Store) async throws {
    try await store.write(
      json: Array(#"{"id":"1","name":"\#(name)"}"#.utf8), as: Sample.Person.self)
  }

  @Test func anObserverSeesTheCommitsOfAnotherProcess() async throws {
    let (store, other) = try pair()
    var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
    #expect(try #require(try await states.next()) == nil)
    try await write("a", to: other)
    #expect(try await states.next()??.name == "a")
    try await write("b", to: other)
    #expect(try await states.next()??.name == "b")
    try await other.logout(.everything)
    #expect(try #require(try await states.next()) == nil)
  }

  #if !canImport(Darwin)
    /// The state after a process was killed between its commit and its notification.
    @Test func anUnannouncedCommitIsSeenWhenItsProcessEnds() async throws {
      let file = try TemporaryFolder().file()
      let store = try Graph.Store(schema: Sample.schema, file: file)
      try await write("a", to: store)
      var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
      #expect(try await states.next()??.name == "a")
      let lock = try #require(store.committed.file?.writeLock.processLock.path)
      let descriptor = open(lock, O_RDWR)
      try DatabaseConnection(path: file.path, mode: .writer).rewriteRecords {
        $0.replacing(#""name":"a""#, with: #""name":"b""#)
      }
      close(descriptor)
      #expect(try await states.next()??.name == "b")
    }
  #endif

  @Test func aQueryObserverSeesCommitsOfAnotherProcess() async throws {
    let (store, other) = try pair()
    let query = Sample.buildQuery { $0.person(id: "1") { $0.id().name() } }
    var states = try store.states(of: query.operation()).makeAsyncIterator()
    #expect(try await states.next()?.data == nil)
    try await other.write(query, #"{"person":{"id":"1","name":"a"}}"#)
    #expect(try await states.next()?.data?.person?.name == "a")
  }

  @Test func aTypeObserverReceivesUnknownChangesOfAnotherProcess() async throws {
    let (store, other) = try pair()
    var changes = try store.changes(of: Sample.Person.self).makeAsyncIterator()
    try await write("a", to: other)
    let told = await changes.next()
    #expect(told?.hasUnknown == true)
    #expect(told?.isEmpty == false)
  }

  @Test func aFetchedListShowsCommitsOfAnotherProcess() async throws {
    let (store, other) = try pair()
    let fetch = store.fetch(Sample.Person.self).filter(\.name == "a")
    var states = try store.states(of: fetch).makeAsyncIterator()
    #expect(try await states.next()?.objects.isEmpty == true)
    try await write("a", to: other)
    #expect(try await states.next()?.changes.insertions == [0])
    try await write("b", to: other)
    #expect(try await states.next()?.changes.deletions == [0])
  }

  @Test func aConnectionShowsCommitsOfAnotherProcess() async throws {
    let (store, other) = try pair()
    var states = try store.states(of: Sample.Query.self, key: "", connection: \.products)
      .makeAsyncIterator()
    #expect(try #require(try await states.next()) == nil)
    let query = Sample.buildQuery { $0.products(first: 1) { $0.nodes { $0.id() } } }
    try await other.write(query, #"{"products":{"nodes":[{"id":"p"}]}}"#)
    #expect(try await states.next()??.nodes.map(\.id) == ["p"])
  }

  @Test func aWriteMergesIntoRecordsOfAnotherProcess() async throws {
    let (store, other) = try pair()
    try await write("a", to: store)
    try await other.write(json: Array(#"{"id":"1","age":7}"#.utf8), as: Sample.Person.self)
    try await write("b", to: store)
    let person = try other.object(Sample.Person.self, key: "1")
    #expect(person?.name == "b")
    #expect(person?.age == 7)
  }

  @Test func aLogoutOfAnotherProcessDeletesObjectsInMemory() async throws {
    let (store, other) = try pair()
    try await store.write(
      json: Array(#"{"id":"k","lines":[]}"#.utf8), as: Sample.Checkout.self)
    var states = try store.states(of: Sample.Checkout.self, key: "k").makeAsyncIterator()
    #expect(try await states.next()??.id.rawValue == "k")
    let generation = store.generation
    try await other.logout()
    #expect(try #require(try await states.next()) == nil)
    #expect(store.generation != generation)
  }

  /// The count of logouts may already be known when the commit of the logout is noticed.
  @Test(.timeLimit(.minutes(1)))
  func anAlreadyKnownLogoutDeletesObjectsInMemory() async throws {
    let (store, other) = try pair()
    try await store.write(
      json: Array(#"{"id":"k","lines":[]}"#.utf8), as: Sample.Checkout.self)
    var states = try store.states(of: Sample.Checkout.self, key: "k").makeAsyncIterator()
    #expect(try await states.next()??.id.rawValue == "k")
    store.writer.queue.suspend()
    let logout = Task { try await other.logout() }
    _ = await logout.result
    store.logoutCounter.update(to: other.generation.number)
    store.writer.queue.resume()
    #expect(try #require(try await states.next()) == nil)
  }

  private var withRules: Graph.Store.Configuration {
    var configuration = Graph.Store.Configuration(policies: [
      "Checkout": Graph.TypePolicy(persistence: .transient, deleteRules: ["lines": .deny])
    ])
    configuration.lockTimeout = .milliseconds(10)
    return configuration
  }

  private var checkout: Sample.QueryQuery {
    Sample.buildQuery { $0.checkout(id: "k") { $0.id().lines { $0.id().quantity() } } }
  }

  /// Neither a rule that denies a deletion nor a lock that is not available prevents it.
  @Test(.timeLimit(.minutes(1)))
  func logoutOfAnotherProcessIgnoresDeleteRulesAndLocks() async throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file, configuration: withRules)
    let other = try Graph.Store(schema: Sample.schema, file: file, configuration: withRules)
    try await store.write(
      checkout, #"{"checkout":{"id":"k","lines":[{"id":"l","quantity":2}]}}"#)
    #expect(!store.committed.memory.memoryOnly.isEmpty)
    var states = try store.states(of: Sample.Checkout.self, key: "k").makeAsyncIterator()
    #expect(try await states.next()??.id.rawValue == "k")
    let lock = try ProcessLock(path: file.path + "-lock")
    store.writer.queue.suspend()
    let logout = Task { try await other.logout() }
    _ = await logout.result
    #expect(lock.tryToTake())
    store.writer.queue.resume()
    _ = try await logout.value
    try await wait { store.generation == other.generation }
    // The second write comes after the attempt to delete the objects in memory.
    for _ in 1...2 {
      let error = await #expect(throws: Graph.StoreError.self) { try await write("a", to: store) }
      #expect(error?.code == .busy)
    }
    lock.release()
    #expect(try #require(try await states.next()) == nil)
    #expect(store.committed.memory.memoryOnly.isEmpty)
    #expect(try store.counts() == [:])
  }
}
