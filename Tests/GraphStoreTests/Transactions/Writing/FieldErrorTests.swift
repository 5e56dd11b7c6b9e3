import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Errors are stored with their fields.
@Suite struct FieldErrorTests {
  private let query = Sample.buildQuery {
    $0.club(id: "1") { $0.id().name().motto().place { $0.name().city() } }
  }

  private func error(_ path: String, _ message: String = "busy") -> String {
    #"[{"message":"\#(message)","path":[\#(path)],"extensions":{"code":"BUSY"}}]"#
  }

  private let whole = """
    {"club":{"id":"1","name":"a","motto":"m","place":{"name":"p","city":"c"}}}
    """
  private let withoutMotto = """
    {"club":{"id":"1","name":"a","motto":null,"place":{"name":"p","city":"c"}}}
    """
  private let withoutCity = """
    {"club":{"id":"1","name":"a","motto":"m","place":{"name":"p","city":null}}}
    """

  @Test(arguments: StoreKind.allCases)
  func anErrorStoresNullForAMissingField(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    let response = try store.read(query)
    #expect(response.missing == [])
    #expect(response.data?.club?.motto == nil)
    #expect(response.errors.map(\.description) == ["club.motto: busy"])
    #expect(response.errors.first?.extensions?["code"] == "BUSY")
  }

  @Test(arguments: StoreKind.allCases)
  func anErrorKeepsTheStoredValue(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    let response = try store.read(query)
    #expect(response.data?.club?.motto == "m")
    #expect(response.errors.map(\.description) == ["club.motto: busy"])
  }

  @Test(arguments: StoreKind.allCases)
  func aNewValueRemovesTheError(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, withoutCity, errors: error(#""club","place","city""#))
    #expect(try store.read(query).errors.map(\.description) == ["club.place.city: busy"])
    // A response without the field does not change it.
    try await store.write(
      Sample.buildQuery { $0.club(id: "1") { $0.id().name() } }, #"{"club":{"id":"1","name":"b"}}"#)
    #expect(try store.read(query).errors.count == 1)
    try await store.write(query, whole)
    #expect(try store.read(query).errors == [])
    #expect(try store.read(query).data?.club?.place?.city == "c")
  }

  @Test(arguments: StoreKind.allCases)
  func aNullWithoutAnErrorReplacesTheValue(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    try await store.write(query, withoutMotto)
    #expect(try store.read(query).data?.club?.motto == nil)
    #expect(try store.read(query).errors == [])
  }

  @Test(arguments: StoreKind.allCases)
  func deletingAnObjectDeletesItsErrors(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    try await store.write { try $0.delete(Sample.Club.self, key: "1") }
    try await store.write(query, whole)
    #expect(try store.read(query).errors == [])
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    try await store.logout(.everything)
    try await store.write(query, whole)
    #expect(try store.read(query).errors == [])
  }

  @Test func errorsRemainAfterReopening() async throws {
    let file = try TemporaryFolder().file()
    do {
      let store = try Graph.Store(schema: Sample.schema, file: file)
      try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    }
    let store = try Graph.Store(schema: Sample.schema, file: file)
    #expect(try store.read(query).errors.map(\.description) == ["club.motto: busy"])
  }

  @Test(arguments: StoreKind.allCases)
  func theResponseForAClientContainsTheError(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    #expect(try store.response(to: query.operation(), maximumAge: nil)?.errors == [])
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    #expect(try store.response(to: query.operation(), maximumAge: nil)?.errors.count == 1)
  }

  // MARK: Lists

  private let teams = Sample.buildQuery { $0.club(id: "1") { $0.id().teams { $0.id().name() } } }
  private let wholeTeams = """
    {"club":{"id":"1","teams":[[{"id":"1","name":"a"},{"id":"2","name":"b"}],[{"id":"3","name":"c"}]]}}
    """
  private let brokenTeams = """
    {"club":{"id":"1","teams":[[{"id":"1","name":"a"},null],[{"id":"3","name":"c"}]]}}
    """
  private let homes = Sample.buildQuery {
    $0.person(id: "1") { $0.id().homes { $0.name().city() } }
  }

  private func text(_ store: Graph.Store, _ query: Sample.QueryQuery) throws -> String? {
    try store.read(query).data.map {
      String(decoding: $0._stored.json.source(at: $0._stored.index), as: UTF8.self)
    }
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func aListWithAFailedElementReplacesTheStoredOne(kind: StoreKind, hasOlder: Bool) async throws {
    let store = try kind.make()
    if hasOlder { try await store.write(teams, wholeTeams) }
    try await store.write(teams, brokenTeams, errors: error(#""club","teams",0,1,"name""#))
    #expect(try text(store, teams) == brokenTeams)
    #expect(try store.read(teams).missing == [])
    let path: [GraphQL.ResponsePathElement] = [.key("club"), .key("teams"), .index(0), .index(1)]
    #expect(try store.read(teams).errors.map(\.path) == [path])
    try await store.write(teams, wholeTeams)
    #expect(try text(store, teams) == wholeTeams)
    #expect(try store.read(teams).errors == [])
  }

  @Test(arguments: StoreKind.allCases)
  func anErrorInAListBelongsToOneElement(kind: StoreKind) async throws {
    let store = try kind.make()
    let data = """
      {"person":{"id":"1","homes":[{"name":"a","city":"c"},{"name":"b","city":null}]}}
      """
    try await store.write(homes, data, errors: error(#""person","homes",1,"city""#))
    #expect(try text(store, homes) == data)
    let path: [GraphQL.ResponsePathElement] = [
      .key("person"), .key("homes"), .index(1), .key("city"),
    ]
    #expect(try store.read(homes).errors.map(\.path) == [path])
    // A shorter list, and then a longer one, in which the element has a value.
    try await store.write(homes, #"{"person":{"id":"1","homes":[{"name":"a","city":"c"}]}}"#)
    #expect(try store.read(homes).errors == [])
    try await store.write(
      homes, #"{"person":{"id":"1","homes":[{"name":"a","city":"c"},{"name":"b","city":null}]}}"#)
    #expect(try store.read(homes).errors == [])
  }

  /// The error does not move to another element.
  @Test(arguments: StoreKind.allCases)
  func anErrorOfAnElementEndsWithAnEditOfItsList(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      teams, #"{"club":{"id":"1","teams":[[{"id":"1","name":"a"},null,{"id":"2","name":"b"}]]}}"#,
      errors: error(#""club","teams",0,1,"name""#))
    #expect(try store.read(teams).errors.count == 1)
    try await store.write { try $0.delete(Sample.Person.self, key: "1") }
    #expect(try store.read(teams).errors == [])
    #expect(try store.read(teams).data?.club?.teams?.first??.map { $0?.name } == [nil, "b"])
  }

  @Test(arguments: StoreKind.allCases)
  func anErrorOfAnObjectInAPageIsKept(kind: StoreKind) async throws {
    let store = try kind.make()
    let query = Sample.buildQuery {
      $0.products(first: 2) { $0.nodes { $0.id().vendor() }.pageInfo { $0.hasNextPage() } }
    }
    let data = """
      {"products":{"nodes":[{"id":"1","vendor":"v"},{"id":"2","vendor":null}],
      "pageInfo":{"hasNextPage":false}}}
      """
    try await store.write(query, data, errors: error(#""products","nodes",1,"vendor""#))
    let path: [GraphQL.ResponsePathElement] = [
      .key("products"), .key("nodes"), .index(1), .key("vendor"),
    ]
    #expect(try store.read(query).errors.map(\.path) == [path])
  }
}
