import GraphQLRuntime
import Testing

@testable import GraphStore

/// Policies of the configuration file, and those of one store, which override them.
@Suite struct PolicyTests {
  private let persons = Sample.buildQuery {
    $0.club(id: "1") { $0.id().persons { $0.id().name() } }
  }

  private func club(_ keys: String...) -> String {
    let persons = keys.map { "{\"id\":\"\($0)\",\"name\":\"\($0)\"}" }.joined(separator: ",")
    return "{\"club\":{\"id\":\"1\",\"persons\":[\(persons)]}}"
  }

  private func names(_ store: Graph.Store) throws -> [String]? {
    try store.read(persons).data?.club?.persons.map(\.name)
  }

  @Test(arguments: StoreKind.allCases)
  func replacesListsByDefault(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(persons, club("a", "b"))
    try await store.write(persons, club("b", "c"))
    #expect(try names(store) == ["b", "c"])
    #expect(try store.contains(Sample.Person.self, key: "a"))
  }

  @Test(arguments: StoreKind.allCases)
  func appendsToListsByPolicy(kind: StoreKind) async throws {
    let policies = ["Club": Graph.TypePolicy(lists: ["persons": .append])]
    let store = try kind.make(Graph.Store.Configuration(policies: policies))
    try await store.write(persons, club("a", "b"))
    try await store.write(persons, club("b", "c"))
    #expect(try names(store) == ["a", "b", "c"])
  }

  @Test(arguments: StoreKind.allCases)
  func deletesObjectsThatWereRemovedFromAList(kind: StoreKind) async throws {
    let policies = ["Club": Graph.TypePolicy(lists: ["persons": .replaceDeletingOld])]
    let store = try kind.make(Graph.Store.Configuration(policies: policies))
    try await store.write(persons, club("a", "b"))
    let record = try await store.write(persons, club("b", "c"))
    #expect(record.deleted.map(\.key) == ["a"])
    #expect(try names(store) == ["b", "c"])
    #expect(try store.contains(Sample.Person.self, key: "a") == false)
  }

  @Test(arguments: StoreKind.allCases)
  func aStoreOverridesKeysDeleteRulesAndPersistence(kind: StoreKind) async throws {
    let policies = [
      "Person": Graph.TypePolicy(key: ["name"], referrers: .delete),
      "Club": Graph.TypePolicy(persistence: .sensitive),
    ]
    let store = try kind.make(Graph.Store.Configuration(policies: policies))
    try await store.write(persons, #"{"club":{"id":"1","persons":[{"id":"7","name":"Ann"}]}}"#)
    #expect(try store.contains(Sample.Person.self, key: "Ann"))
    try await store.write { try $0.delete(Sample.Person.self, key: "Ann") }
    #expect(try store.contains(Sample.Club.self, key: "1") == false)
    try await store.write(persons, club("a"))
    let report = try await store.logout()
    #expect(Set(report.deleted.map(\.description)) == ["Query:", "Club:1"])
  }

  @Test func storageKeysContainDirectivesThatMayChangeValues() async throws {
    let store = try StoreKind.memory.make()
    func query(_ directive: String?) -> Sample.QueryQuery {
      Sample.buildQuery { root in
        root.club(id: "1") { club in
          club.id()
          if let directive { club._directive(GraphQL.Directive<Sample>(directive)) }
          club.motto()
        }
      }
    }
    try await store.write(query(nil), #"{"club":{"id":"1","motto":"plain"}}"#)
    try await store.write(query("upper"), #"{"club":{"id":"1","motto":"UPPER"}}"#)
    #expect(try store.read(query(nil)).data?.club?.motto == "plain")
    #expect(try store.read(query("upper")).data?.club?.motto == "UPPER")
    #expect(try store.text("Club:1")?.contains(#""motto@upper":"UPPER""#) == true)
  }

  /// A transient object whose key was not selected must not reach the file as part of its owner. A
  /// sensitive one must not survive a logout in that way.
  @Test func embeddedObjectsFollowThePersistenceOfTheirType() async throws {
    let store = try StoreKind.file.make()
    let checkout = Sample.buildQuery {
      $0.checkout(id: "k") { $0.total { $0.amount() }.customer { $0.email() } }
    }
    try await store.write(
      checkout, #"{"checkout":{"total":{"amount":"1"},"customer":{"email":"a@b.c"}}}"#)
    #expect(try store.text("Query:") == #"{"__typename":"Query"}"#)
    #expect(try store.read(checkout).missingText == ["checkout"])
    // The root is deleted at logout, so it may contain sensitive data.
    let me = Sample.buildQuery { $0.me(token: "t") { $0.email() } }
    try await store.write(me, #"{"me":{"email":"a@b.c"}}"#)
    #expect(try store.read(me).data?.me?.email == "a@b.c")
    try await store.logout()
    #expect(try store.counts() == [:])
    let policies = ["Place": Graph.TypePolicy(persistence: .sensitive)]
    let other = try StoreKind.file.make(Graph.Store.Configuration(policies: policies))
    let club = Sample.buildQuery { $0.club(id: "1") { $0.id().place { $0.name() } } }
    try await other.write(club, #"{"club":{"id":"1","place":{"name":"P"}}}"#)
    #expect(try other.text("Club:1") == #"{"__typename":"Club","id":"1"}"#)
  }
}
