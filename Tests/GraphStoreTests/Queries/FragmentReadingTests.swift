import Foundation
import GraphJSON
import GraphQLRuntime
import Observation
import Testing

@testable import GraphStore

/// Fragments of documents that are read from builders' responses and from stored objects.
@Suite struct FragmentReadingTests {
  private static let size: GraphQL.JSON = ["size": 900]

  private let club = #"""
    {"id":"c1","name":"Rooks","logo":{"url":"https://a.b/c"},"captain":{"id":"p1","name":"Ann",
    "favourites":{"nodes":[{"id":"h","title":"Hat"},{"id":"s","title":"Scarf"}]}}}
    """#

  private func spreading() -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.club(id: "c1") { $0.kind().spread(ClubCard.self, variables: Self.size) }
    }
  }

  private func data<Query: GraphQL.OperationBuilder>(
    _ query: Query, _ json: String
  ) throws -> Query.Response {
    try #require(try query.operation().response(from: Array(#"{"data":\#(json)}"#.utf8)).data)
  }

  private var withKind: String {
    club.replacing(#"{"id":"c1""#, with: #"{"kind":"CHESS","id":"c1""#)
  }

  @Test func builderSpreadsAFragment() throws {
    let operation = try spreading().operation()
    #expect(operation.document.contains("...ClubCard"))
    #expect(operation.document.contains("fragment PersonRow on Person"))
    #expect(String(decoding: operation.variables, as: UTF8.self).contains("900"))
    let club = try #require(try data(spreading(), #"{"club":\#(withKind)}"#).club)
    let card = try ClubCard(club, variables: Self.size)
    #expect(card.name == "Rooks" && card.logo?.url.absoluteString == "https://a.b/c")
    #expect(card.captain?.personRow.favourites?.nodes.map(\.title) == ["Hat", "Scarf"])
    // The same as in a document that spreads it.
    let typed = try ClubPageQuery(id: "c1", size: 900).operation()
      .response(from: Array(#"{"data":{"club":\#(self.club)}}"#.utf8))
    #expect(typed.data?.club?.clubCard == card)
  }

  /// Each of them has the fragment `ClubName`.
  @Test func spreadsShareAFragment() throws {
    let variables: GraphQL.JSON = ["size": 1, "withLogo": false]
    let query = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.spread(ClubHead.self, variables: variables).spread(ClubFoot.self, variables: variables)
          .spread(ClubName.self, variables: variables)
      }
    }
    let document = try query.operation().document
    #expect(document.ranges(of: "fragment ClubName on").count == 1)
    let club = try #require(
      try data(query, #"{"club":{"id":"c1","name":"Rooks","motto":"Up"}}"#).club)
    #expect(try ClubHead(club, variables: variables).clubName.name == "Rooks")
    #expect(try ClubFoot(club, variables: variables).motto == "Up")
    #expect(try ClubName(club, variables: variables).name == "Rooks")
    // With other values, these are two fragments.
    let others = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.spread(ClubHead.self, variables: variables)
          .spread(ClubFoot.self, variables: ["size": 2, "withLogo": true])
      }
    }
    #expect(throws: GraphQL.InvalidQuery.self) { try others.operation() }
  }

  /// Values of variables that the service would refuse.
  @Test(arguments: [
    (#"{"size":1}"#, "argument `if`: the variable `$withLogo` needs a value"),
    (
      #"{"size":1,"withLogo":"yes"}"#,
      "argument `if`: the variable `$withLogo`: expected true or false, found a string"
    ),
    (
      #"{"size":1,"withLogo":null}"#,
      "argument `if`: the variable `$withLogo`: null where the schema requires a value"
    ),
    (
      #"{"size":"1","withLogo":true}"#,
      "argument `size`: the variable `$size`: expected an integer, found a string"
    ),
    (#"{"withLogo":true}"#, nil), (#"{"size":null,"withLogo":true}"#, nil),
  ])
  func valuesOfVariablesAreChecked(json: String, problem: String?) throws {
    let variables = try GraphQL.JSON(parsing: Array(json.utf8))
    let query = Sample.buildQuery {
      $0.club(id: "c1") { $0.spread(ClubHead.self, variables: variables) }
    }
    guard let problem else {
      _ = try query.operation()
      return
    }
    let error = #expect(throws: GraphQL.InvalidQuery.self) { try query.operation() }
    #expect(error?.problems.map(\.description) == ["...ClubName.logo: \(problem)"])
  }

  @Test(arguments: [
    (
      #"{"limit":"1","tag":"a"}"#,
      [
        "...ClubOfQuery.club: argument `id`: the variable `$club` needs a value",
        "...ClubOfQuery.search: argument `filter`: the variable `$limit`: expected an integer, found a string",
      ]
    ),
    (
      #"{"club":"1","tag":null}"#,
      [
        "...ClubOfQuery.search: argument `filter`: the variable `$tag`: null where the schema requires a value"
      ]
    ), (#"{"club":1,"tag":"a"}"#, []),
  ])
  func valuesInObjectsAndListsAreChecked(json: String, problems: [String]) throws {
    let variables = try GraphQL.JSON(parsing: Array(json.utf8))
    let query = Sample.buildQuery { $0.spread(ClubOfQuery.self, variables: variables) }
    guard !problems.isEmpty else {
      _ = try query.operation()
      return
    }
    let error = #expect(throws: GraphQL.InvalidQuery.self) { try query.operation() }
    #expect(error?.problems.map(\.description) == problems)
  }

  @Test func aSelectionWithoutTheSpreadIsEnough() throws {
    let query = Sample.buildQuery { $0.person(id: "p1") { $0.name().id().age().score() } }
    let person = try #require(
      try data(query, #"{"person":{"name":"Ann","id":"p1","age":4,"score":null}}"#).person)
    #expect(try NodeLine(person).asPerson?.name == "Ann")
    #expect(try NodeLine(person).asClub == nil)
  }

  @Test func everythingThatIsMissingIsListed() throws {
    let query = Sample.buildQuery {
      $0.club(id: "c1") {
        $0.id().name().logo(size: 10) { $0.url() }
          .captain { $0.id().favourites(first: 2) { $0.nodes { $0.id() } } }
      }
    }
    let json = #"""
      {"club":{"id":"c1","name":"R","logo":null,"captain":{"id":"p1","favourites":{"nodes":[{"id":"h"},{"id":"s"}]}}}}
      """#
    let club = try #require(try data(query, json).club)
    let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) {
      try ClubCard(club, variables: Self.size)
    }
    #expect(
      mismatch?.problems == [
        "`logo` is another field, or has other arguments", "`captain.name` is not selected",
        "`captain.favourites.nodes.title` is not selected",
      ])
    #expect(
      mismatch?.description.hasPrefix("ClubCard cannot be read from this Club: `logo`") == true)
  }

  @Test func theTypeOfAnObjectInTheFragmentIsMissing() throws {
    let json = #"{"club":{"id":"c1","name":"R","captain":{"id":"p1","name":"Ann"}}}"#
    let query = Sample.buildQuery {
      $0.club(id: "c1") { $0.id().name().captain { $0.id().name() } }
    }
    let club = try #require(try data(query, json).club)
    let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) { try CaptainType(club) }
    #expect(mismatch?.problems == ["`captain.__typename` is not selected"])
    let whole = Sample.buildQuery { $0.club(id: "c1") { $0.spread(CaptainType.self) } }
    let named = #"""
      {"club":{"__typename":"Club","id":"c1","captain":{"__typename":"Person","id":"p1","name":"Ann"}}}
      """#
    let spread = try CaptainType(try #require(try data(whole, named).club))
    #expect(spread.captain?.__typename == "Person")
  }

  @Test func aFieldThatADirectiveLeftOutIsMissing() throws {
    let query = Sample.buildQuery { $0.person(id: "p1") { $0.id().include(if: false).name() } }
    let person = try #require(try data(query, #"{"person":{"id":"p1"}}"#).person)
    let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) { try NodeLine(person) }
    #expect(mismatch?.problems == ["`name` is not selected"])
  }

  @Test func objectsFromFieldsAreChecked() throws {
    let fields: [String: Any] = [
      "id": "p1", "name": "Ann", "favourites": ["nodes": [["id": "h", "title": "Hat"]]],
    ]
    #expect(
      try PersonRow(try Sample.Person(fields: fields)).favourites?.nodes.first?.title == "Hat")
    let person = try Sample.Person(fields: ["id": "p1"])
    let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) { try PersonRow(person) }
    #expect(mismatch?.problems.first?.contains("name") == true)
    let place = try Sample.Place(fields: ["city": "Bern"])
    #expect(throws: GraphQL.FragmentMismatch.self) { try PersonRow(place) }
  }

  @Test func createsObjectsFromJSON() throws {
    let row = try PersonRow(
      json: ["id": "p1", "name": "Ann", "favourites": ["nodes": [["id": "h", "title": "Hat"]]]])
    #expect(row.name == "Ann" && row.favourites?.nodes.first?.title == "Hat")
    let person: GraphQL.JSON = ["__typename": "Person", "id": "p1", "name": "Ann"]
    #expect(try NodeLine(json: person).asPerson?.name == "Ann")
    let invalid: [GraphQL.JSON] = [
      ["id": "p1", "favourites": nil], ["id": "p1", "name": 1, "favourites": nil], ["p1"],
      ["__typename": "Club", "id": "p1", "name": "Ann", "favourites": nil],
    ]
    for json in invalid {
      let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) { try PersonRow(json: json) }
      #expect(mismatch?.fragment == "PersonRow" && mismatch?.problems.count == 1)
    }
    let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) {
      try NodeLine(json: ["id": "p1", "name": "Ann"])
    }
    #expect(mismatch?.problems.first?.contains("`__typename`") == true)
  }

  /// With the members in another order, the response is read in general.
  @Test(arguments: ["Club", "Person", "Dragon", "Clubs", "Clu\\u0062"], [true, false])
  func anObjectOfAnObjectTypeHasItsName(name: String, inOrder: Bool) throws {
    let members = ["\"type\":\"\(name)\"", "\"name\":\"Rooks\"", "\"id\":\"c1\""]
    let club = (inOrder ? members : members.reversed()).joined(separator: ",")
    let text = Array("{\"data\":{\"club\":{\(club)}}}".utf8)
    let operation = try ClubTypeQuery().operation()
    if name.hasPrefix("Clu"), name != "Clubs" {
      #expect(try operation.response(from: text).data?.club?.type == "Club")
    } else {
      #expect(throws: GraphQL.ResponseFailure.self) { try operation.response(from: text) }
    }
  }

  @Test func fragmentsHaveTheErrorsOfTheResponse() throws {
    let query = Sample.buildQuery { $0.club(id: "c1") { $0.spread(ClubCaptain.self) } }
    let text = #"""
      {"data":{"club":{"captain":null,"id":"c1"}},
       "errors":[{"message":"away","path":["club","captain"]},{"message":"other","path":["person"]}]}
      """#
    let club = try #require(try query.operation().response(from: Array(text.utf8)).data?.club)
    let captain = try ClubCaptain(club)
    let error = #expect(throws: GraphQL.ResponseError.self) { try captain.captain }
    #expect(error?.message == "away")
    let plain = try #require(
      try data(query, #"{"club":{"captain":null,"id":"c1"}}"#).club)
    #expect(try ClubCaptain(plain).captain == nil)
  }

  @Test(
    arguments: [
      nil, 3, "x", [], ["id"], ["id", "p1", "name"], ["id", "p1", "name", "Ann"],
    ] as [GraphQL.JSON])
  func onlyObjectsAreRead(json: GraphQL.JSON) {
    let mismatch = #expect(throws: GraphQL.FragmentMismatch.self) { try PersonRow(json: json) }
    #expect(mismatch?.problems == ["the JSON is not an object"])
  }

  /// The store does not keep positions in the text of the operation.
  @Test(arguments: StoreKind.allCases)
  func aStoredObjectEqualsTheSentOne(kind: StoreKind) async throws {
    let store = try kind.make()
    let operation = try ClubPageQuery(id: "c1").operation()
    func response(_ message: String) throws -> GraphQL.Response<ClubPageQuery.Response> {
      try operation.response(
        from: Array(
          #"""
          {"data":{"club":{"id":"c1","name":"Rooks","logo":null,"captain":null}},"errors":[{"message":"\#(message)",
          "path":["club","captain"],"locations":[{"line":1,"column":2}],"extensions":{"code":"X"}}]}
          """#.utf8))
    }
    let sent = try response("away")
    try await store.write(sent, of: operation)
    let stored = try store.read(operation)
    #expect(stored.errors.map(\.message) == ["away"])
    #expect(try #require(stored.data) == #require(sent.data))
    #expect(try #require(stored.data) != #require(response("ill").data))
  }

  @Test(arguments: StoreKind.allCases)
  func readsStoredObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    #expect(try store.read(ClubCard.self, key: "c1").missing == [[]])
    let operation = try ClubPageQuery(id: "c1", size: 900).operation()
    let response = try operation.response(from: Array(#"{"data":{"club":\#(club)}}"#.utf8))
    try await store.write(response, of: operation)

    let card = try store.read(ClubCard.self, key: "c1", variables: Self.size)
    #expect(card.missing.isEmpty && card.data == response.data?.club?.clubCard)
    #expect(card.entities.map(\.description).contains("Person:p1"))
    let row = try #require(try store.read(PersonRow.self, key: "p1").data)
    #expect(row.favourites?.nodes.map(\.title) == ["Hat", "Scarf"])
    #expect(
      try store.read(NodeLine.self, typeName: "Person", key: "p1").data?.asPerson?.name == "Ann")

    // With another size, another logo.
    let other = try store.read(ClubCard.self, key: "c1")
    #expect(other.data == nil && other.missing == [[.key("logo")]])
    #expect(throws: Graph.StoreError.self) { try store.read(NodeLine.self, key: "p1") }
    #expect(throws: Graph.StoreError.self) {
      try store.read(PersonRow.self, typeName: "Club", key: "c1")
    }
    // An object of the store has no operation that tells what it has.
    let person = try #require(try store.object(Sample.Person.self, key: "p1"))
    #expect(throws: GraphQL.FragmentMismatch.self) { try PersonRow(person) }

    let rename = Sample.buildQuery { $0.person(id: "p1") { $0.id().name() } }
    try await store.write(rename, #"{"person":{"id":"p1","name":"Bea"}}"#)
    #expect(
      try store.read(ClubCard.self, key: "c1", variables: Self.size).data?.captain?.personRow.name
        == "Bea")
    #expect(row.name == "Ann")
  }

  @Test func statesOfAFragmentFollowTheStore() async throws {
    let store = try StoreKind.file.make()
    try await store.write(
      json: Array(#"{"id":"p1","name":"Ann","age":4,"score":1}"#.utf8), as: Sample.Person.self)
    var states = try store.states(of: NodeLine.self, typeName: "Person", key: "p1")
      .makeAsyncIterator()
    #expect(try await states.next()?.data?.asPerson?.name == "Ann")
    // The fragment does not select it.
    try await store.write(
      json: Array(#"{"id":"p1","nicknames":["A"]}"#.utf8), as: Sample.Person.self)
    try await store.write(json: Array(#"{"id":"p1","name":"Eve"}"#.utf8), as: Sample.Person.self)
    #expect(try await states.next()?.data?.asPerson?.name == "Eve")
    try await store.logout(.everything)
    let state = try await states.next()
    #expect(state?.data == nil && state?.missing.isEmpty == false)
    #expect(throws: Graph.StoreError.self) { try store.states(of: NodeLine.self, key: "p1") }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test @MainActor func aLiveFragmentShowsChangesOfTheStore() async throws {
    let store = try StoreKind.memory.make()
    try await store.write(
      json: Array(#"{"id":"p1","name":"Ann","age":4,"score":1}"#.utf8), as: Sample.Person.self)
    let line = try Graph.LiveFragment(NodeLine.self, typeName: "Person", key: "p1", in: store)
    #expect(line.value?.asPerson?.name == "Ann")
    try await store.write(json: Array(#"{"id":"p1","name":"Eve"}"#.utf8), as: Sample.Person.self)
    while line.value?.asPerson?.name != "Eve" {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = line.value
        } onChange: {
          continuation.resume()
        }
      }
    }
  }
}
