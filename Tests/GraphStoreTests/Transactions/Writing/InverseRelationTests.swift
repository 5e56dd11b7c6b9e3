import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct InverseRelationTests {
  private func store(
    _ kind: StoreKind, referrers: Graph.TypePolicy.ReferrerRule? = nil
  ) throws -> Graph.Store {
    try kind.make(
      .init(policies: [
        "Club": Graph.TypePolicy(referrers: referrers, inverses: ["persons": "club"]),
        "Person": Graph.TypePolicy(inverses: ["friends": "friends"]),
      ]))
  }

  private func write(
    _ store: Graph.Store, _ json: String, as type: GraphQL.AbstractResponse.Type,
    _ mapping: Graph.JSONMapping = Graph.JSONMapping()
  ) async throws {
    try await store.write(json: Array(json.utf8), as: type, mapping: mapping)
  }

  private func persons(_ store: Graph.Store, _ club: String) throws -> [String] {
    try #require(try store.object(Sample.Club.self, key: club)).persons.map(\.id.rawValue)
  }

  private func club(_ store: Graph.Store, _ person: String) throws -> String? {
    try #require(try store.object(Sample.Person.self, key: person)).club?.id.rawValue
  }

  @Test(arguments: StoreKind.allCases)
  func toManyWritesUpdateTheInverseField(kind: StoreKind) async throws {
    let store = try store(kind)
    try await write(
      store, #"[{"id":"c","persons":[{"id":"1"},{"id":"2"}]},{"id":"d","persons":[]}]"#,
      as: Sample.Club.self)
    #expect(try club(store, "1") == "c" && club(store, "2") == "c")
    // Replaced: a person who is not in the list any more has no club.
    try await write(store, #"{"id":"c","persons":[{"id":"2"},{"id":"3"}]}"#, as: Sample.Club.self)
    #expect(try club(store, "1") == nil && club(store, "2") == "c" && club(store, "3") == "c")
    // A person who is in another list now leaves the first one.
    try await write(store, #"{"id":"d","persons":[{"id":"3"}]}"#, as: Sample.Club.self)
    #expect(try persons(store, "c") == ["2"] && club(store, "3") == "d")
    // Appended.
    try await write(
      store, #"{"id":"d","persons":[{"id":"1"}]}"#, as: Sample.Club.self,
      Graph.JSONMapping(lists: ["Club.persons": .append]))
    #expect(try persons(store, "d") == ["3", "1"] && club(store, "1") == "d")
    try await write(
      store, #"{"id":"d","persons":[{"id":"1"}]}"#, as: Sample.Club.self,
      Graph.JSONMapping(lists: ["Club.persons": .replaceDeletingOld]))
    #expect(try persons(store, "d") == ["1"] && !store.contains(Sample.Person.self, key: "3"))
  }

  @Test(arguments: StoreKind.allCases)
  func toOneWritesUpdateTheInverseField(kind: StoreKind) async throws {
    let store = try store(kind)
    try await write(
      store, #"[{"id":"1","club":{"id":"c"}},{"id":"2","club":{"id":"c"}}]"#, as: Sample.Person.self
    )
    #expect(try persons(store, "c") == ["1", "2"])
    try await write(store, #"{"id":"1","club":{"id":"d"}}"#, as: Sample.Person.self)
    #expect(try persons(store, "c") == ["2"] && persons(store, "d") == ["1"])
    try await write(store, #"{"id":"2","club":null}"#, as: Sample.Person.self)
    #expect(try persons(store, "c") == [] && persons(store, "d") == ["1"])
    let changes = try await store.write(
      json: Array(#"{"id":"1","name":"Ann"}"#.utf8), as: Sample.Person.self)
    #expect(changes.updated.map(\.description) == ["Person:1"])
  }

  @Test(arguments: StoreKind.allCases)
  func responsesUpdateTheInverseField(kind: StoreKind) async throws {
    let store = try store(kind)
    let query = Sample.buildQuery { $0.club(id: "c") { $0.id().persons { $0.id() } } }
    try await store.write(query, #"{"club":{"id":"c","persons":[{"id":"1"}]}}"#)
    #expect(try club(store, "1") == "c")
    let person = Sample.buildQuery { $0.person(id: "2") { $0.id().club { $0.id() } } }
    let record = try await store.write(person, #"{"person":{"id":"2","club":{"id":"c"}}}"#)
    #expect(record.updated.map(\.description).contains("Club:c"))
    #expect(try store.read(query).data?.club?.persons.map(\.id) == ["1", "2"])
  }

  /// A result from the store must not contain a list that the server never sent.
  @Test(arguments: StoreKind.allCases)
  func unreceivedInverseListsAreMissingInResponses(kind: StoreKind) async throws {
    let store = try store(kind)
    try await write(store, #"{"id":"1","club":{"id":"c","name":"C"}}"#, as: Sample.Person.self)
    let query = Sample.buildQuery { $0.club(id: "c") { $0.id().persons { $0.id() } } }
    let short = Sample.buildQuery { $0.club(id: "c") { $0.id().name() } }
    try await store.write(short, #"{"club":{"id":"c","name":"C"}}"#)
    try await store.write(query, #"{"club":null}"#)
    try await store.write(short, #"{"club":{"id":"c","name":"C"}}"#)
    #expect(try persons(store, "c") == ["1"])
    #expect(try store.read(short).missing.isEmpty)
    #expect(try store.read(query).missingText == ["club.persons"])
    #expect(try store.response(to: query.operation(), maximumAge: nil) == nil)
    // Neither another link nor an addition completes it.
    try await write(store, #"{"id":"2","club":{"id":"c"}}"#, as: Sample.Person.self)
    try await write(
      store, #"{"id":"c","persons":[{"id":"3"}]}"#, as: Sample.Club.self,
      Graph.JSONMapping(lists: ["Club.persons": .append]))
    #expect(try persons(store, "c") == ["1", "2", "3"])
    #expect(try store.read(query).data == nil)
    // The same list from the server is a complete result from then on.
    let record = try await store.write(
      query, #"{"club":{"id":"c","persons":[{"id":"1"},{"id":"2"},{"id":"3"}]}}"#)
    #expect(record.updated.map(\.description) == ["Club:c"])
    #expect(try store.read(query).data?.club?.persons.map(\.id) == ["1", "2", "3"])
    try await write(store, #"{"id":"4","club":{"id":"c"}}"#, as: Sample.Person.self)
    #expect(try store.read(query).data?.club?.persons.map(\.id) == ["1", "2", "3", "4"])
  }

  @Test(arguments: StoreKind.allCases)
  func relationsOfOneTypeAreSymmetric(kind: StoreKind) async throws {
    let store = try store(kind)
    try await write(
      store, #"{"id":"1","friends":[{"id":"2","friends":[]},{"id":"1"}]}"#, as: Sample.Person.self)
    func friends(_ id: String) throws -> [GraphQL.ID] {
      try #require(try store.object(Sample.Person.self, key: id)).friends.map(\.id)
    }
    #expect(try friends("2") == ["1"])
    try await write(store, #"{"id":"2","friends":[]}"#, as: Sample.Person.self)
    #expect(try friends("1") == ["1"])
  }

  @Test(arguments: StoreKind.allCases)
  func deletionsRemoveBothEndsOfARelation(kind: StoreKind) async throws {
    var store = try store(kind)
    let json = #"[{"id":"c","persons":[{"id":"1"},{"id":"2"}]}]"#
    try await write(store, json, as: Sample.Club.self)
    try await store.write { try $0.delete(Sample.Person.self, key: "1") }
    #expect(try persons(store, "c") == ["2"])
    try await store.write { try $0.delete(Sample.Club.self, key: "c") }
    #expect(try club(store, "2") == nil)
    store = try self.store(kind, referrers: .delete)
    try await write(store, json, as: Sample.Club.self)
    try await store.write { try $0.delete(Sample.Club.self, key: "c") }
    #expect(try store.counts() == [:])
  }

  /// The schema table of the sample has this relation.
  @Test(arguments: StoreKind.allCases)
  func readsInverseFieldsFromTheConfiguration(kind: StoreKind) async throws {
    let store = try kind.make()
    try await write(
      store, #"{"id":"1","variants":[{"sku":"a","size":"S","stock":1}]}"#, as: Sample.Product.self)
    let variant = try #require(try store.object(Sample.Variant.self, key: #"["a","S"]"#))
    #expect(variant.product?.id == "1")
  }

  @Test(arguments: StoreKind.allCases)
  func areRolledBackWithTheirTransaction(kind: StoreKind) async throws {
    let store = try store(kind)
    struct Stop: Error {}
    try await write(store, #"{"id":"c","persons":[{"id":"1"}]}"#, as: Sample.Club.self)
    await #expect(throws: Stop.self) {
      try await store.write { storage in
        try storage.write(json: Array(#"{"id":"c","persons":[]}"#.utf8), as: Sample.Club.self)
        #expect(try storage.object(Sample.Person.self, key: "1")?.club == nil)
        throw Stop()
      }
    }
    #expect(try club(store, "1") == "c")
  }
}
