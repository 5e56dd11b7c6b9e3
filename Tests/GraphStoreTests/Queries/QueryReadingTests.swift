import Foundation
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct QueryReadingTests {
  private let query = Sample.buildQuery {
    $0
      .club(id: "c1") {
        $0.id().name().captain { $0.id().name() }.place { $0.city() }
          .logo(alias: "big", size: 900) { $0.url() }.persons { $0.id().age() }
      }
      .node(id: "p1") { $0.onPerson { $0.id().name() } }
  }
  private let data = #"""
    {"club":{"id":"c1","name":"Rooks","captain":{"id":"p1","name":"Ann"},"place":{"city":"Bern"},
    "logo__big":{"url":"https://a.b/c"},"persons":[{"id":"p1","age":7},{"id":"p2","age":null}]},
    "node":{"__typename":"Person","id":"p1","name":"Ann"}}
    """#

  @Test(arguments: StoreKind.allCases)
  func returnsTheWrittenData(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    let stored = try store.read(query)
    let root = try #require(stored.data)
    #expect(stored.missing.isEmpty)
    #expect(root.club?.captain?.name == "Ann")
    #expect(root.club?.place?.city == "Bern")
    #expect(root.club?.aliasedLogo(alias: "big")?.url.absoluteString == "https://a.b/c")
    #expect(root.club?.persons.map(\.age) == [7, nil])
    #expect((root.node as? Sample.Person)?.name == "Ann")
    #expect(
      Set(stored.entities.map(\.description)) == ["Query:", "Club:c1", "Person:p1", "Person:p2"])
  }

  /// Only the service knows whether the type implements the interface.
  @Test(arguments: StoreKind.allCases)
  func objectsOfNewTypesNeedNoFieldsOfInterfaces(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery { $0.search(text: "a") { $0.onNode { $0.id() } } }
    try await store.write(
      query, #"{"search":[{"__typename":"Dragon"},{"__typename":"Person","id":"p1"}]}"#)
    let stored = try store.read(query)
    #expect(stored.missing.isEmpty)
    #expect(stored.data?.search.map(\.__typename) == ["Dragon", "Person"])
  }

  @Test(arguments: StoreKind.allCases)
  func aChangeIsVisibleThroughEveryPath(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, data)
    let other = Sample.buildQuery { $0.person(id: "p1") { $0.id().name() } }
    try await store.write(other, #"{"person":{"id":"p1","name":"Bea"}}"#)
    let root = try #require(try store.read(query).data)
    #expect(root.club?.captain?.name == "Bea")
    #expect((root.node as? Sample.Person)?.name == "Bea")
  }

  @Test(arguments: StoreKind.allCases)
  func listsMissingFields(kind: StoreKind) async throws {
    let store = try kind.make()
    #expect(try store.read(query).missingText == [""])
    try await store.write(query, data)
    let more = Sample.buildQuery {
      $0.club(id: "c1") { $0.id().motto().persons { $0.id().score() } }.clubs { $0.id() }
    }
    let stored = try store.read(more)
    #expect(stored.data == nil)
    #expect(
      stored.missingText == ["club.motto", "club.persons.0.score", "club.persons.1.score", "clubs"])
  }

  @Test(arguments: StoreKind.allCases)
  func readsAConnectionPageByPage(kind: StoreKind) async throws {
    let store = try kind.make()
    func page(_ after: String?) -> Sample.QueryQuery {
      Sample.buildQuery { $0.products(first: 1, after: after) { $0.nodes { $0.id().title() } } }
    }
    try await store.write(page(nil), #"{"products":{"nodes":[{"id":"1","title":"A"}]}}"#)
    try await store.write(page("x"), #"{"products":{"nodes":[{"id":"2","title":"B"}]}}"#)
    #expect(try store.read(page(nil)).data?.products.nodes.map(\.title) == ["A"])
    #expect(try store.read(page("x")).data?.products.nodes.map(\.title) == ["B"])
  }

  @Test func rejectsMutations() throws {
    let store = try StoreKind.memory.make()
    let mutation = Sample.buildMutation { $0.renameClub(id: "1", name: "x") { $0.id() } }
    #expect(throws: Graph.StoreError.self) { try store.read(mutation) }
  }
}
