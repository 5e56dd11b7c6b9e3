import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct StoreDraftTests {
  private var club: GraphQL.Draft<Sample.Club> {
    GraphQL.Draft {
      $0[\.id] = "c"
      $0[\.name] = "Chess"
      $0[\.place?.name] = "Hall"
      $0[\.persons] = [
        GraphQL.Draft<Sample.Person> {
          $0[\.id] = "1"; $0[\.name] = "Ann"
        }
      ]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aDraftIsWrittenAndReadAgain(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(club)
    let stored = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(stored.name == "Chess" && stored.persons.map(\.name) == ["Ann"])
    var draft = try #require(try store.draft(of: Sample.Club.self, key: "c"))
    #expect(draft[\.name] == "Chess" && draft[\.persons].map { $0[\.id] } == ["1"])
    draft[\.name] = "Go"
    try await store.write(draft)
    let edited = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(edited.name == "Go" && edited.persons.map(\.name) == ["Ann"])
    #expect(try store.draft(of: Sample.Club.self, key: "none") == nil)
  }

  @Test func aDraftWithAProblemIsNotWritten() async throws {
    let store = Graph.Store(inMemory: Sample.schema)
    var draft = club
    draft[\.name.count] = 1
    await #expect(throws: Graph.StoreError.self) { try await store.write(draft) }
    #expect(try store.count(of: Sample.Club.self) == 0 && store.count(of: Sample.Person.self) == 0)
  }

  @Test func aDraftIsAChange() async throws {
    let store = Graph.Store(inMemory: Sample.schema)
    try await store.write(club)
    let rename = GraphQL.Draft<Sample.Club> {
      $0[\.id] = "c"
      $0[\.name] = "Go"
    }
    try await store.write { try $0.apply(.update(rename)) }
    #expect(try store.object(Sample.Club.self, key: "c")?.name == "Go")
    let person = GraphQL.Draft<Sample.Person> { $0[\.id] = "2" }
    try await store.write { try $0.apply(.create(person)) }
    #expect(try store.object(Sample.Person.self, key: "2") != nil)
    // A draft without the key of its object.
    let other = GraphQL.Draft<Sample.Club> { $0[\.name] = "Go" }
    await #expect(throws: Graph.StoreError.self) {
      try await store.write { try $0.apply(.update(other)) }
    }
  }
}
