import Foundation
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct NormalizationTests {
  private let club = Sample.buildQuery {
    $0.club(id: "c1") { $0.id().name().kind().captain { $0.id().name() } }
  }

  @Test(arguments: StoreKind.allCases)
  func splitsAResponseIntoRecords(kind: StoreKind) async throws {
    let store = try kind.make()
    let record = try await store.write(
      club,
      #"{"club":{"id":"c1","name":"Rooks","kind":"CHESS","captain":{"id":"p1","name":"Ann"}}}"#)
    #expect(record.inserted.map(\.description) == ["Person:p1", "Club:c1", "Query:"])
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","name":"Rooks","kind":"CHESS","captain":{"&":"Person:p1"}}"#
    )
    #expect(try store.text("Person:p1") == #"{"__typename":"Person","id":"p1","name":"Ann"}"#)
    #expect(
      try store.text("Query:") == #"{"__typename":"Query","club({\"id\":\"c1\"})":{"&":"Club:c1"}}"#
    )
  }

  @Test(arguments: StoreKind.allCases)
  func aMutationUpdatesStoredFields(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      club,
      #"{"club":{"id":"c1","name":"Rooks","kind":"CHESS","captain":{"id":"p1","name":"Ann"}}}"#)
    let rename = Sample.buildMutation { $0.renameClub(id: "c1", name: "Pawns") { $0.id().name() } }
    let record = try await store.write(rename, #"{"renameClub":{"id":"c1","name":"Pawns"}}"#)
    #expect(record.updated.map(\.description) == ["Club:c1"])
    #expect(record.inserted.isEmpty && record.unchanged.isEmpty)
    // Fields that are not in the response stay, and the mutation's root is not stored.
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","name":"Pawns","kind":"CHESS","captain":{"&":"Person:p1"}}"#
    )
    #expect(try store.counts() == ["Club": 1, "Person": 1, "Query": 1])
  }

  @Test(arguments: StoreKind.allCases)
  func writesNothingForUnchangedData(kind: StoreKind) async throws {
    let store = try kind.make()
    let data =
      #"{"club":{"id":"c1","name":"Rooks","kind":"CHESS","captain":{"id":"p1","name":"Ann"}}}"#
    try await store.write(club, data)
    let record = try await store.write(club, data)
    #expect(record.isEmpty)
    #expect(record.unchanged.map(\.description) == ["Person:p1", "Club:c1", "Query:"])
  }

  @Test(arguments: StoreKind.allCases)
  func mergesObjectsWithTheSameKey(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.id().captain { $0.id().name().friends { $0.id().age() } }.persons { $0.id().active() }
      }
    }
    let record = try await store.write(
      query,
      #"""
      {"club":{"id":"c1","captain":{"id":"p1","name":"Ann","friends":[{"id":"p1","age":7}]},
      "persons":[{"id":"p1","active":true},{"id":"p1","active":true}]}}
      """#)
    #expect(record.inserted.count == 3)
    #expect(
      try store.text("Person:p1")
        == #"{"__typename":"Person","id":"p1","age":7,"name":"Ann","friends":[{"&":"Person:p1"}],"active":true}"#
    )
  }

  @Test(arguments: StoreKind.allCases)
  func embedsObjectsWithoutAKey(kind: StoreKind) async throws {
    let store = try kind.make()
    let first = Sample.buildQuery { $0.club(id: "c1") { $0.id().place { $0.name().city() } } }
    try await store.write(first, #"{"club":{"id":"c1","place":{"name":"Hall","city":"Bern"}}}"#)
    let second = Sample.buildQuery { $0.club(id: "c1") { $0.id().place { $0.city().zip() } } }
    try await store.write(second, #"{"club":{"id":"c1","place":{"city":"Bonn","zip":"53"}}}"#)
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","place":{"name":"Hall","city":"Bonn","zip":"53"}}"#)
    // An object whose key was not selected is not an entity.
    let third = Sample.buildQuery { $0.club(id: "c1") { $0.id().captain { $0.name() } } }
    try await store.write(third, #"{"club":{"id":"c1","captain":{"name":"Ann"}}}"#)
    #expect(try store.counts()["Person"] == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func keepsFieldsApartByArguments(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.id().logo { $0.url() }
          .logo(alias: "big", size: 900, crop: .top) { $0.url() }
      }
    }
    try await store.write(
      query,
      #"{"club":{"id":"c1","logo":{"url":"https://a.b/1"},"logo__big":{"url":"https://a.b/2"}}}"#)
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","logo":{"url":"https://a.b/1"},"logo({\"crop\":\"TOP\",\"size\":900})":{"url":"https://a.b/2"}}"#
    )
  }

  /// Two response names of one field, each with a selection of its own.
  @Test(arguments: StoreKind.allCases, [false, true])
  func unitesTheSelectionsOfOneField(kind: StoreKind, isReversed: Bool) async throws {
    let store = try kind.make()
    let plain = Sample.buildQuery {
      $0.club(id: "c1") { $0.id().logo(size: 1) { $0.url().width() } }
    }
    try await store.write(
      plain, #"{"club":{"id":"c1","logo":{"url":"https://a.b/old","width":1}}}"#)
    let query = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.id().logo(alias: "a", size: 1) { $0.url() }.logo(alias: "b", size: 1) { $0.width() }
      }
    }
    let (a, b) = (#""logo__a":{"url":"https://a.b/new"}"#, #""logo__b":{"width":2}"#)
    let logos = isReversed ? "\(b),\(a)" : "\(a),\(b)"
    try await store.write(query, #"{"club":{"id":"c1",\#(logos)}}"#)
    let logo = try #require(store.read(plain).data?.club?.logo)
    #expect(logo.url.absoluteString == "https://a.b/new")
    #expect(logo.width == 2)
    let club = try #require(store.read(query).data?.club)
    #expect(club.aliasedLogo(alias: "a")?.url.absoluteString == "https://a.b/new")
    #expect(club.aliasedLogo(alias: "b")?.width == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func unitesTheElementsOfTwoLists(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.search(alias: "a", text: "x") { $0.onPlace { $0.name() }.onClub { $0.id() } }
        .search(alias: "b", text: "x") { $0.onPlace { $0.name().city() }.onClub { $0.id().name() } }
    }
    try await store.write(
      query,
      #"""
      {"search__a":[{"__typename":"Place","name":"Hall"},{"__typename":"Club","id":"c1"}],
      "search__b":[{"__typename":"Place","name":"Hall","city":"Bern"},{"__typename":"Club","id":"c1","name":"Rooks"}]}
      """#)
    #expect(
      try store.text("Query:")
        == #"{"__typename":"Query","search({\"text\":\"x\"})":[{"__typename":"Place","name":"Hall","city":"Bern"},{"&":"Club:c1"}]}"#
    )
    #expect(try store.text("Club:c1") == #"{"__typename":"Club","id":"c1","name":"Rooks"}"#)
  }

  @Test(arguments: StoreKind.allCases)
  func unitesTheSelectionsOfOneConnection(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.products(alias: "a", first: 1) { $0.edges { $0.cursor() }.pageInfo { $0.hasNextPage() } }
        .products(alias: "b", first: 1) {
          $0.totalCount().edges { $0.node { $0.id().title() } }.pageInfo { $0.endCursor() }
        }
    }
    try await store.write(
      query,
      #"""
      {"products__a":{"edges":[{"cursor":"1"}],"pageInfo":{"hasNextPage":true}},
      "products__b":{"totalCount":7,"edges":[{"node":{"id":"p1","title":"Shoe"}}],"pageInfo":{"endCursor":"1"}}}
      """#)
    let data = try #require(store.read(query).data)
    let (a, b) = (data.aliasedProducts(alias: "a"), data.aliasedProducts(alias: "b"))
    #expect(a.edges.map(\.cursor) == ["1"])
    #expect(a.pageInfo.hasNextPage)
    #expect(b.totalCount == 7)
    #expect(b.edges.map(\.node.title) == ["Shoe"])
    #expect(b.pageInfo.endCursor == "1")
  }

  /// An entity at several places of a response, with another selection of its list at each.
  @Test(arguments: StoreKind.allCases)
  func unitesTheListsOfOneEntity(kind: StoreKind) async throws {
    let store = try kind.make()
    let all = Sample.buildQuery {
      $0.person(id: "p1") { $0.id().homes { $0.name().city().zip() } }
    }
    let old = #"{"person":{"id":"p1","homes":[{"name":"Old","city":"Bern","zip":"1"}]}}"#
    try await store.write(all, old)
    let query = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.id().captain { $0.id().name().homes { $0.name() } }
          .persons { $0.id().homes { $0.name().city() }.name() }
      }
      .person(id: "p1") { $0.id().homes { $0.zip() }.age() }
    }
    try await store.write(
      query,
      #"""
      {"club":{"id":"c1","captain":{"id":"p1","name":"Ann","homes":[{"name":"New"},{"name":"Hut"}]},
      "persons":[{"id":"p1","homes":[{"name":"New","city":"Basel"},{"name":"Hut","city":null}],"name":"Ann"}]},
      "person":{"id":"p1","homes":[{"zip":"2"},{"zip":null}],"age":3}}
      """#)
    #expect(
      try store.text("Person:p1")
        == #"{"__typename":"Person","id":"p1","homes":[{"name":"New","city":"Basel","zip":"2"},{"name":"Hut","city":null,"zip":null}],"name":"Ann","age":3}"#
    )
    #expect(try store.read(query).missing.isEmpty)
    // A list of another response replaces this one.
    try await store.write(
      Sample.buildQuery { $0.person(id: "p1") { $0.id().homes { $0.name() } } },
      #"{"person":{"id":"p1","homes":[{"name":"New"},{"name":"Hut"}]}}"#)
    #expect(try store.read(all).data?.person == nil)
  }

  /// Lists that cannot be the same value: the last one counts.
  @Test(
    arguments: StoreKind.allCases,
    [
      #"[{"name":"B","zip":"2"},{"name":"A","zip":"1"}]"#, #"[{"name":"A","zip":"1"}]"#,
      #"[{"name":"A","zip":"1"},{"name":"C","zip":null}]"#, "[]", "null",
    ])
  func replacesListsThatContradict(kind: StoreKind, second: String) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.person(alias: "a", id: "p1") { $0.id().homes { $0.name().city() } }
        .person(alias: "b", id: "p1") { $0.id() }
        .club(id: "c1") { $0.id().captain { $0.id().homes { $0.name().zip() } } }
    }
    try await store.write(
      query,
      #"""
      {"person__a":{"id":"p1","homes":[{"name":"A","city":"X"},{"name":"B","city":"Y"}]},"person__b":{"id":"p1"},
      "club":{"id":"c1","captain":{"id":"p1","homes":\#(second)}}}
      """#)
    #expect(
      try store.text("Person:p1") == #"{"__typename":"Person","id":"p1","homes":\#(second)}"#)
  }

  /// The second field is executed after the first.
  @Test(arguments: StoreKind.allCases)
  func theLastListOfAMutationCounts(kind: StoreKind) async throws {
    let store = try kind.make()
    let mutation = Sample.buildMutation {
      $0.renameClub(alias: "a", id: "c1", name: "x") {
        $0.id().captain {
          $0.id().homes { $0.name() }.favourites(first: 1) { $0.nodes { $0.id() } }
        }
      }
      .renameClub(alias: "b", id: "c1", name: "y") {
        $0.id().captain {
          $0.id().homes { $0.city() }.favourites(first: 1) { $0.edges { $0.cursor() } }
        }
      }
    }
    try await store.write(
      mutation,
      #"""
      {"renameClub__a":{"id":"c1","captain":{"id":"p1","homes":[{"name":"A"}],
      "favourites":{"nodes":[{"id":"p1"}]}}},
      "renameClub__b":{"id":"c1","captain":{"id":"p1","homes":[{"city":"B"}],
      "favourites":{"edges":[{"cursor":"1"}]}}}}
      """#)
    #expect(try store.text("Person:p1")?.contains(#""homes":[{"city":"B"}]"#) == true)
    let nodes = Sample.buildQuery {
      $0.person(id: "p1") { $0.id().favourites(first: 1) { $0.nodes { $0.id() } } }
    }
    #expect(try store.read(nodes).data?.person?.favourites == nil)
    #expect(try !store.read(nodes).missing.isEmpty)
  }

  /// A page of one connection at two places of a response.
  @Test(arguments: StoreKind.allCases)
  func unitesThePagesOfOneEntity(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.person(id: "p1") {
        $0.id().favourites(first: 1) { $0.edges { $0.cursor() }.pageInfo { $0.hasNextPage() } }
      }
      .club(id: "c1") {
        $0.id().captain {
          $0.id().favourites(first: 1) {
            $0.totalCount().edges { $0.node { $0.id().title() } }.pageInfo { $0.endCursor() }
          }
        }
      }
    }
    try await store.write(
      query,
      #"""
      {"person":{"id":"p1","favourites":{"edges":[{"cursor":"1"}],"pageInfo":{"hasNextPage":true}}},
      "club":{"id":"c1","captain":{"id":"p1","favourites":{"totalCount":7,
      "edges":[{"node":{"id":"p1","title":"Shoe"}}],"pageInfo":{"endCursor":"1"}}}}}
      """#)
    let data = try #require(store.read(query).data)
    #expect(data.person?.favourites?.edges.map(\.cursor) == ["1"])
    #expect(data.person?.favourites?.pageInfo.hasNextPage == true)
    #expect(data.club?.captain?.favourites?.edges.map(\.node.title) == ["Shoe"])
    #expect(data.club?.captain?.favourites?.pageInfo.endCursor == "1")
  }

  /// The key is selected under one of two names only.
  @Test(arguments: StoreKind.allCases, [false, true])
  func aLinkHasPrecedence(kind: StoreKind, isReversed: Bool) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.search(alias: "a", text: "x") { $0.onClub { $0.kind() } }
        .search(alias: "b", text: "x") { $0.onClub { $0.id().name() } }
    }
    let a = #""search__a":[{"__typename":"Club","kind":"CHESS"}]"#
    let b = #""search__b":[{"__typename":"Club","id":"c1","name":"Rooks"}]"#
    try await store.write(query, isReversed ? "{\(b),\(a)}" : "{\(a),\(b)}")
    #expect(
      try store.text("Query:")
        == #"{"__typename":"Query","search({\"text\":\"x\"})":[{"&":"Club:c1"}]}"#)
  }

  /// No page arrived.
  @Test(arguments: StoreKind.allCases)
  func readsTheNumberOfNodesAlone(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery { $0.products(query: "x") { $0.totalCount() } }
    try await store.write(query, #"{"products":{"totalCount":7}}"#)
    #expect(try store.read(query).data?.products.totalCount == 7)
    let nodes = Sample.buildQuery { $0.products(query: "x") { $0.nodes { $0.id() } } }
    #expect(try store.read(nodes).data == nil)
  }

  /// Pages without nodes do not change what is known about the list.
  @Test(arguments: StoreKind.allCases)
  func keepsPagesWithoutNodes(kind: StoreKind) async throws {
    let store = try kind.make()
    let list = Sample.buildQuery {
      $0.products(first: 1) { $0.totalCount().nodes { $0.id() }.pageInfo { $0.endCursor() } }
    }
    try await store.write(
      list, #"{"products":{"totalCount":2,"nodes":[{"id":"p1"}],"pageInfo":{"endCursor":"1"}}}"#)
    let query = Sample.buildQuery {
      $0.products(alias: "a", first: 1, after: "1") { $0.pageInfo { $0.hasNextPage() } }
        .products(alias: "b", first: 0) { $0.totalCount().nodes { $0.id() } }
        .products(alias: "c", last: 3) { $0.totalCount().pageInfo { $0.hasPreviousPage() } }
    }
    try await store.write(
      query,
      #"""
      {"products__a":{"pageInfo":{"hasNextPage":false}},"products__b":{"totalCount":3,"nodes":[]},
      "products__c":{"totalCount":3,"pageInfo":{"hasPreviousPage":true}}}
      """#)
    let data = try #require(store.read(query).data)
    #expect(!data.aliasedProducts(alias: "a").pageInfo.hasNextPage)
    #expect(data.aliasedProducts(alias: "b").totalCount == 3)
    #expect(data.aliasedProducts(alias: "b").nodes.isEmpty)
    #expect(data.aliasedProducts(alias: "c").pageInfo.hasPreviousPage)
    #expect(try store.read(list).data?.products.nodes.map(\.id) == ["p1"])
    #expect(try store.read(list).data?.products.totalCount == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func sortsTheNamesOfInputObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.search(text: "x", filter: .init(limit: 3, tags: ["b", "a"])) { $0.onClub { $0.id() } }
    }
    try await store.write(query, #"{"search":[]}"#)
    #expect(
      try store.text("Query:")
        == #"{"__typename":"Query","search({\"filter\":{\"limit\":3,\"tags\":[\"b\",\"a\"]},\"text\":\"x\"})":[]}"#
    )
  }

  @Test(arguments: StoreKind.allCases)
  func identifiesObjectsByConcreteTypeAndAllKeyFields(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.node(id: "1") { $0.id().onProduct { $0.variants { $0.sku().size().stock() } } }
    }
    try await store.write(
      query,
      #"{"node":{"__typename":"Product","id":"1","variants":[{"sku":"a","size":"\"","stock":2}]}}"#)
    #expect(
      try store.counts() == ["Product": 1, "Variant": 1, "Query": 1])
    #expect(try store.text(#"Variant:["a","\""]"#)?.contains(#""stock":2"#) == true)
    #expect(try store.object(Sample.Variant.self, key: #"["a","\""]"#)?.stock == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func keepsStoredValuesOfFieldsWithErrors(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.club(id: "c1") { $0.id().motto().captain { $0.id().name() }.teams { $0.id() } }
    }
    try await store.write(
      query,
      #"""
      {"club":{"id":"c1","motto":"Up","captain":{"id":"p1","name":"Ann"},"teams":[[{"id":"p1"}]]}}
      """#)
    try await store.write(
      query,
      #"{"club":{"id":"c1","motto":null,"captain":null,"teams":[[null,{"id":"p2"}]]}}"#,
      errors: #"""
        [{"message":"a","path":["club","motto"]},{"message":"b","path":["club","captain","name"]},
        {"message":"c","path":["club","teams",0,0]}]
        """#)
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","motto":"Up","captain":{"&":"Person:p1"},"teams":[[null,{"&":"Person:p2"}]]}"#
    )
    // A list is a value, with the null that the error explains.
    #expect(try store.text("Person:p2") != nil)
    // A null without an error is a value.
    try await store.write(query, #"{"club":{"id":"c1","motto":null,"captain":null,"teams":null}}"#)
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","id":"c1","motto":null,"captain":null,"teams":null}"#)
  }

  @Test(arguments: StoreKind.allCases)
  func takesMembersInAnyOrder(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      club,
      #"{"club":{"name":"Old","captain":null,"id":"c1","kind":"CHESS","extra":1,"name":"New"}}"#)
    #expect(
      try store.text("Club:c1")
        == #"{"__typename":"Club","captain":null,"id":"c1","kind":"CHESS","name":"New"}"#)
  }

  @Test func refusesAnOperationOfAnotherSchema() async throws {
    let other = Graph.Store(
      inMemory: GraphQL.SchemaTable(
        name: "Other", table: ">A - -\n@A\nb String\n", queries: [GraphQL.AbstractQuery.self],
        responses: [GraphQL.AbstractResponse.self], scalars: []))
    await #expect(throws: Graph.StoreError.self) {
      try await other.write(self.club, #"{"club":null}"#)
    }
  }
}
