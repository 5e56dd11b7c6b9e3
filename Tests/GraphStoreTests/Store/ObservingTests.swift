import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct ObservingTests {
  private func write(_ store: Graph.Store, _ json: String) async throws {
    try await store.write(json: Array(json.utf8), as: Sample.Person.self)
  }

  @Test(arguments: StoreKind.allCases)
  func observesTheStatesOfAnObject(kind: StoreKind) async throws {
    let store = try kind.make()
    var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
    #expect(try #require(try await states.next()) == nil)
    try await write(store, #"{"id":"1","name":"Ann"}"#)
    #expect(try await states.next()??.name == "Ann")
    // Other objects, and writes that change nothing, produce no states.
    try await write(store, #"[{"id":"2","name":"Bea"},{"id":"1","name":"Ann"}]"#)
    try await write(store, #"{"id":"1","name":"Cyd"}"#)
    #expect(try await states.next()??.name == "Cyd")
    try await store.write { try $0.delete(Sample.Person.self, key: "1") }
    #expect(try #require(try await states.next()) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aSlowObserverGetsTheNewestState(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(store, #"{"id":"1","age":0}"#)
    var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
    for age in 1...50 { try await write(store, #"{"id":"1","age":\#(age)}"#) }
    #expect(try await states.next()??.age == 50)
    for age in 51...60 { try await write(store, #"{"id":"1","age":\#(age)}"#) }
    #expect(try await states.next()??.age == 60)
    try await write(store, #"{"id":"1","age":61}"#)
    try await write(store, #"{"id":"1","age":60}"#)
    try await write(store, #"{"id":"1","name":"Ann"}"#)
    #expect(try await states.next()??.name == "Ann")
  }

  @Test(arguments: StoreKind.allCases)
  func observesTheChangesOfAType(kind: StoreKind) async throws {
    let store = try kind.make()
    // Changes between the creation of the sequence and its iteration count.
    let sequence = try store.changes(of: Sample.Person.self)
    try await write(store, #"[{"id":"1","club":{"id":"c"}},{"id":"2"}]"#)
    try await write(store, #"{"id":"1","age":3}"#)
    var changes = sequence.makeAsyncIterator()
    var expected = Graph.ChangeSet()
    expected.inserted = [.init(typeName: "Person", key: "1"), .init(typeName: "Person", key: "2")]
    #expect(await changes.next() == expected)
    try await write(store, #"{"id":"1","age":4}"#)
    try await store.write { try $0.delete(Sample.Person.self, key: "2") }
    expected = Graph.ChangeSet()
    expected.updated = [.init(typeName: "Person", key: "1")]
    expected.deleted = [.init(typeName: "Person", key: "2")]
    #expect(await changes.next() == expected)
  }

  @Test(arguments: StoreKind.allCases)
  func observesTheStatesOfAQuery(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery { $0.club(id: "c") { $0.id().captain { $0.id().name() } } }
    var states = try store.states(of: query.operation()).makeAsyncIterator()
    #expect(try await states.next()?.data == nil)
    try await store.write(query, #"{"club":{"id":"c","captain":{"id":"1","name":"Ann"}}}"#)
    #expect(try await states.next()?.data?.club?.captain?.name == "Ann")
    try await write(store, #"{"id":"1","age":9}"#)
    try await write(store, #"{"id":"1","name":"Bea"}"#)
    #expect(try await states.next()?.data?.club?.captain?.name == "Bea")
    try await store.write(query, #"{"club":{"id":"c","captain":{"id":"2","name":"Cyd"}}}"#)
    #expect(try await states.next()?.data?.club?.captain?.name == "Cyd")
    // Objects that the result does not depend on any more are not a reason to read again.
    try await write(store, #"{"id":"1","name":"Dee"}"#)
    try await write(store, #"{"id":"2","name":"Eve"}"#)
    #expect(try await states.next()?.data?.club?.captain?.name == "Eve")
  }

  @Test func observersDoNotSeeRolledBackTransactions() async throws {
    let store = try StoreKind.memory.make()
    struct Stop: Error {}
    var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
    _ = try await states.next()
    await #expect(throws: Stop.self) {
      try await store.write { storage in
        try storage.write(json: Array(#"{"id":"1","age":1}"#.utf8), as: Sample.Person.self)
        throw Stop()
      }
    }
    try await write(store, #"{"id":"1","age":2}"#)
    #expect(try await states.next()??.age == 2)
  }

  @Test func cancellationEndsASequence() async throws {
    let store = try StoreKind.memory.make()
    let task = Task {
      var count = 0
      for try await _ in try store.states(of: Sample.Person.self, key: "1") { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value <= 1)
  }

  @Test @MainActor func releasingATokenEndsTheObservation() async throws {
    let store = try StoreKind.memory.make()
    let (ages, continuation) = AsyncStream<Int?>.makeStream()
    var token: Graph.ObservationToken? = try store.observe(Sample.Person.self, key: "1") {
      continuation.yield($0?.age)
    }
    var seen = ages.makeAsyncIterator()
    #expect(await seen.next() == .some(nil))
    try await write(store, #"{"id":"1","age":1}"#)
    #expect(await seen.next() == 1)
    withExtendedLifetime(token) {}
    token = nil
    try await write(store, #"{"id":"1","age":2}"#)
    continuation.finish()
    #expect(await seen.next() == nil)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test @MainActor func observersReceiveReadErrors() async throws {
    let folder = try TemporaryFolder()
    let store = try Graph.Store(schema: Sample.schema, file: folder.file())
    try await write(store, #"{"id":"1","name":"Ann"}"#)
    let person = try Graph.LiveObject(Sample.Person.self, key: "1", in: store)
    let persons = Graph.LiveResults(try store.states(of: store.fetch(Sample.Person.self)))
    let (errors, told) = AsyncStream.makeStream(of: Optional<Graph.StoreError.Code>.self)
    let (states, seen) = AsyncStream.makeStream(of: Void.self)
    let notifyObservers: @MainActor @Sendable (any Error) -> Void = {
      told.yield(($0 as? Graph.StoreError)?.code)
    }
    let query = Sample.buildQuery { $0.person(id: "1") { $0.id().name() } }
    let tokens = [
      try store.observe(Sample.Person.self, key: "1", onError: notifyObservers) { _ in seen.yield()
      },
      store.observe(try query.operation(), onError: notifyObservers) { _ in seen.yield() },
      try store.observe(store.fetch(Sample.Person.self), onError: notifyObservers) { _ in
        seen.yield()
      },
    ]
    var state = states.makeAsyncIterator()
    for _ in tokens { await state.next() }
    try await wait { persons.value != nil }
    for suffix in ["-wal", "-shm", ""] {
      try FileManager.default.moveItem(
        at: folder.file("test.store" + suffix), to: folder.file("moved.store" + suffix))
    }
    await #expect(throws: Graph.StoreError.self) { try await write(store, #"{"id":"2"}"#) }
    var error = errors.makeAsyncIterator()
    for _ in tokens { #expect(await error.next() == .replaced) }
    try await wait { person.error != nil && persons.error != nil }
    #expect(person.value?.name == "Ann" && persons.value?.objects.count == 1)
    withExtendedLifetime(tokens) {}
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test @MainActor func aLiveObjectShowsChangesOfTheStore() async throws {
    let store = try StoreKind.memory.make()
    try await write(store, #"{"id":"1","age":1}"#)
    let person = try Graph.LiveObject(Sample.Person.self, key: "1", in: store)
    #expect(person.value?.age == 1)
    try await write(store, #"{"id":"1","age":2}"#)
    try await wait { person.value?.age == 2 }
    #expect(person.value?.age == 2)
  }

  @Test func aLogoutNotifiesEveryObserver() async throws {
    let store = try StoreKind.file.make()
    try await write(store, #"[{"id":"1"},{"id":"2"}]"#)
    var states = try store.states(of: Sample.Person.self, key: "1").makeAsyncIterator()
    _ = try await states.next()
    var changes = try store.changes(of: Sample.Person.self).makeAsyncIterator()
    try await store.logout(.everything)
    #expect(try #require(try await states.next()) == nil)
    #expect(await changes.next()?.deleted.count == 2)
  }
}

@Suite struct ChangeSetTests {
  private func set(
    _ inserted: [String] = [], _ updated: [String] = [], _ deleted: [String] = []
  ) -> Graph.ChangeSet {
    func keys(_ names: [String]) -> Set<GraphQL.EntityKey> {
      Set(names.map { GraphQL.EntityKey(typeName: "T", key: $0) })
    }
    var set = Graph.ChangeSet()
    set.inserted = keys(inserted)
    set.updated = keys(updated)
    set.deleted = keys(deleted)
    return set
  }

  @Test func mergesLaterChanges() {
    var changes = set(["a"], ["b"], ["c"])
    changes.merge(set(["c"], ["a", "d"], ["b"]))
    #expect(changes == set(["a"], ["c", "d"], ["b"]))
    changes.merge(set([], [], ["a", "c"]))
    #expect(changes == set([], ["d"], ["b", "c"]))
    changes.merge(set(["a"], [], []))
    #expect(changes == set(["a"], ["d"], ["b", "c"]))
  }
}
