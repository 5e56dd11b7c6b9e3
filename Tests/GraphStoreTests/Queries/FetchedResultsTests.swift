import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct FetchedResultsTests {
  private func write(_ store: Graph.Store, _ json: String) async throws {
    try await store.write(json: Array(json.utf8), as: Sample.Product.self)
  }

  private func fill(_ store: Graph.Store) async throws {
    try await write(
      store,
      #"""
      [{"id":"1","title":"a","vendor":"Acme"},{"id":"2","title":"b","vendor":"Bolt"},
      {"id":"3","title":"c","vendor":"Acme"},{"id":"4","title":"d"}]
      """#)
  }

  @Test(arguments: StoreKind.allCases)
  func publishesInsertionsDeletionsMovesAndUpdates(kind: StoreKind) async throws {
    let store = try kind.make()
    try await fill(store)
    let fetch = store.fetch(Sample.Product.self).filter(\.vendor == "Acme").sorted(by: \.title)
    var states = try store.states(of: fetch).makeAsyncIterator()
    let first = try #require(try await states.next())
    #expect(first.objects.map(\.id) == ["1", "3"] && first.changes.insertions == [0, 1])
    // Other objects, and writes that change nothing, produce no results.
    try await write(store, #"[{"id":"2","title":"bb"},{"id":"1","title":"a"}]"#)
    try await write(store, #"[{"id":"1","title":"z"},{"id":"5","title":"b","vendor":"Acme"}]"#)
    let second = try #require(try await states.next())
    #expect(second.objects.map(\.id) == ["5", "3", "1"])
    #expect(second.keys.map(\.key) == ["5", "3", "1"])
    #expect(second.changes.insertions == [0] && second.changes.deletions.isEmpty)
    #expect(second.changes.moves.count == 1 && second.changes.updates == [2])
    try await write(store, #"{"id":"3","vendor":"Bolt"}"#)
    try await store.write { try $0.delete(Sample.Product.self, key: "5") }
    let third = try #require(try await states.next())
    #expect(third.objects.map(\.title) == ["z"] && third.changes.deletions == [0, 1])
  }

  @Test(arguments: StoreKind.allCases)
  func groupsObjectsIntoSections(kind: StoreKind) async throws {
    let store = try kind.make()
    try await fill(store)
    let fetch = store.fetch(Sample.Product.self).sorted(by: \.vendor).sorted(by: \.title)
    var states = try store.states(of: fetch, sectionedBy: \.vendor).makeAsyncIterator()
    var results = try #require(try await states.next())
    #expect(results.sections.map(\.name) == [nil, "Acme", "Bolt"])
    #expect(results.sections.map(\.range) == [0..<1, 1..<3, 3..<4])
    try await write(store, #"[{"id":"4","vendor":"Zinc"},{"id":"2","vendor":"Acme"}]"#)
    results = try #require(try await states.next())
    #expect(results.sections.map { $0.name ?? "" } == ["Acme", "Zinc"])
    #expect(results.sections.map(\.range) == [0..<3, 3..<4])
    #expect(throws: Graph.StoreError.self) {
      try store.states(of: fetch, sectionedBy: \.title.count)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func changesOfLinkedObjectsUpdateTheResults(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      json: Array(#"{"id":"c","captain":{"id":"p","name":"Ann"},"persons":[]}"#.utf8),
      as: Sample.Club.self)
    let fetch = store.fetch(Sample.Club.self).filter(\.captain?.name == "Bea")
    var states = try store.states(of: fetch).makeAsyncIterator()
    #expect(try await states.next()?.objects.isEmpty == true)
    try await store.write(json: Array(#"{"id":"p","name":"Bea"}"#.utf8), as: Sample.Person.self)
    #expect(try await states.next()?.objects.map(\.id) == ["c"])
  }

  @Test func theFirstResultsContainEarlierWrites() async throws {
    let store = try StoreKind.file.make()
    var states = try store.states(of: store.fetch(Sample.Product.self)).makeAsyncIterator()
    try await fill(store)
    #expect(try await states.next()?.objects.count == 4)
    for title in 0..<50 { try await write(store, #"{"id":"1","title":"\#(title)"}"#) }
    let results = try #require(try await states.next())
    #expect(results.objects.first?.title == "49" && results.changes.updates == [0])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test @MainActor func liveResultsAndTokensFollowTheStore() async throws {
    let store = try StoreKind.memory.make()
    try await fill(store)
    let live = Graph.LiveResults(try store.states(of: store.fetch(Sample.Product.self)))
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    let token = try store.observe(store.fetch(Sample.Product.self)) {
      continuation.yield($0.objects.count)
    }
    var seen = counts.makeAsyncIterator()
    #expect(await seen.next() == 4)
    try await write(store, #"{"id":"5"}"#)
    #expect(await seen.next() == 5)
    try await wait { live.value?.objects.count == 5 }
    token.stop()
  }

  @Test(arguments: StoreKind.allCases)
  func observesTheNodesOfAConnection(kind: StoreKind) async throws {
    let store = try kind.make()
    func page(_ after: String?) -> Sample.QueryQuery {
      Sample.buildQuery {
        $0.products(first: 1, after: after) { $0.edges { $0.cursor().node { $0.id() } } }
      }
    }
    func data(_ id: String) -> String {
      #"{"products":{"edges":[{"cursor":"\#(id)","node":{"id":"\#(id)"}}]}}"#
    }
    var states = try store.states(of: Sample.Query.self, key: "", connection: \.products)
      .makeAsyncIterator()
    #expect(try #require(try await states.next()) == nil)
    try await store.write(page(nil), data("a"))
    #expect(try await states.next()??.edges.map(\.node.id) == ["a"])
    try await store.write(page("a"), data("b"))
    try await store.write(page("b"), data("c"))
    #expect(try await states.next()??.edges.map(\.node.id) == ["a", "b", "c"])
    try await store.write { try $0.delete(Sample.Product.self, key: "b") }
    #expect(try await states.next()??.edges.map(\.node.id) == ["a", "c"])
  }
}
