import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct DeletingTests {
  private static let club = #"""
    {"id":"c1","name":"Rooks","captain":{"id":"p1"},"persons":[{"id":"p1"},{"id":"p2"}],
    "teams":[[{"id":"p1"},null,{"id":"p2"}],null]}
    """#

  @Test(arguments: StoreKind.allCases)
  func removesLinksFromRecords(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(json: Array(Self.club.utf8), as: Sample.Club.self)
    let deleted = try await store.write { try $0.delete(Sample.Person.self, key: "p1") }
    #expect(deleted.map(\.description) == ["Person:p1"])
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","name":"Rooks","captain":null,"persons":[{"&":"Person:p2"}],"teams":[[null,{"&":"Person:p2"}],null]}"#
    )
    let again = try await store.write { try $0.delete(Sample.Person.self, key: "p1") }
    #expect(again.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func nonNullFieldsWithDeletedTargetsAreMissing(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      json: Array(#"{"id":"l","quantity":1,"product":{"id":"x"}}"#.utf8),
      as: Sample.CheckoutLine.self)
    try await store.write { try $0.delete(Sample.Product.self, key: "x") }
    let line = try #require(try store.object(Sample.CheckoutLine.self, id: "l"))
    #expect(!line.has(\.product) && line.quantity == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func deletesReferrersByPolicy(kind: StoreKind) async throws {
    let store = try kind.make(
      .init(policies: [
        "Person": Graph.TypePolicy(referrers: .delete),
        "Club": Graph.TypePolicy(referrers: .delete),
      ]))
    try await store.write(json: Array(Self.club.utf8), as: Sample.Club.self)
    try await store.write(
      json: Array(#"{"id":"p3","club":{"id":"c1"}}"#.utf8), as: Sample.Person.self)
    let query = Sample.buildQuery { $0.club(id: "c1") { $0.id() } }
    try await store.write(query, #"{"club":{"id":"c1"}}"#)
    let deleted = try await store.write { try $0.delete(Sample.Person.self, key: "p2") }
    #expect(deleted.map(\.description) == ["Person:p2", "Club:c1", "Person:p3"])
    #expect(try store.counts() == ["Person": 1, "Query": 1])
    #expect(try store.read(query).data?.club == nil)
    #expect(try store.read(query).missing.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func isRolledBackWithItsTransaction(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(json: Array(Self.club.utf8), as: Sample.Club.self)
    let before = try store.text("Club:c1")
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await store.write { storage in
        try storage.delete(Sample.Person.self, key: "p1")
        throw Stop()
      }
    }
    #expect(try store.text("Club:c1") == before)
    #expect(try store.count(of: Sample.Person.self) == 2)
  }
}
