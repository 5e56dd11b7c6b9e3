import GraphQLCodeGen
import Testing

/// When a property is optional: the value may be null, or the conditions of a document may leave it out.
@Suite struct OptionalityTests {
  private func accessors(_ selections: String, _ path: String = "Person") throws -> [String] {
    try OperationGeneration(
      "query Q($a: Boolean!, $b: Boolean!) { person(by: { id: \"1\" }) { \(selections) }"
        + " people { id @include(if: $a) @skip(if: $b) } }"
    ).accessors("QQuery.Data." + path)
  }

  @Test func valuesAreOptionalIfTheSchemaAllowsNull() throws {
    #expect(
      try accessors("id name birthday best_friend { id }") == [
        "id: GraphQL.ID { id(0) }", "name: String { string(1) }",
        "birthday: GraphQL.LocalDate? { valueOpt(2) }", "bestFriend: BestFriend? { oneOpt(3) }",
      ])
  }

  @Test func conditionsMakeFieldsOptional() throws {
    #expect(
      try accessors("name @include(if: $a) luckyNumbers @skip(if: true) kind @include(if: true)")
        == [
          "name: String? { stringOpt(0) }", "luckyNumbers: [Int]? { valueOpt(1) }",
          "kind: Zoo.Kind? { valueOpt(2) }",
        ])
    // The key is added without a condition.
    #expect(try accessors("id @include(if: $a)") == ["id: GraphQL.ID { id(0) }"])
  }

  @Test func oneUnconditionalPlaceIsEnough() throws {
    #expect(
      try accessors("id @include(if: $a) ... @skip(if: $b) { id name } ... on Node { id }") == [
        "id: GraphQL.ID { id(0) }", "name: String? { stringOpt(1) }",
      ])
  }

  @Test func fieldsOfAConditionalObjectAreNotConditional() throws {
    #expect(
      try accessors("id best_friend @include(if: $a) { id name }", "Person.BestFriend") == [
        "id: GraphQL.ID { id(0) }", "name: String { string(1) }",
      ])
  }

  @Test func fieldsOfAnObjectWithSeveralConditionsAre() throws {
    let text = "id best_friend @include(if: $a) { id name } best_friend @skip(if: $b) { id kind }"
    #expect(
      try accessors(text, "Person.BestFriend") == [
        "id: GraphQL.ID? { idOpt(0) }", "name: String? { stringOpt(1) }",
        "kind: Zoo.Kind? { valueOpt(2) }",
      ])
  }

  /// A union is between the types, so the document is valid.
  @Test func impossibleFragmentsHaveNoProperty() throws {
    let generation = try OperationGeneration(
      """
      query Q {
        person(by: { id: "1" }) {
          id
          ... on Hit { ... on Dog { barks } ... on Cat @defer { lives } ...Size @defer ...Names }
        }
        animal { ... on Pet { ... on Hit { ... on Person { kind } ... on Cat { lives } } } }
      }
      fragment Size on Dog { size }
      fragment Names on Person { name }
      """)
    #expect(generation.errors.isEmpty)
    #expect(
      generation.accessors("QQuery.Data.Person") == [
        "id: GraphQL.ID { id(0) }", "names: Names { one(4) }",
      ])
    #expect(
      generation.accessors("QQuery.Data.Animal.AsPet") == ["asHit: AsHit? { oneOpt(2) }"])
    let hit = generation.body("QQuery.Data.Animal.AsPet.AsHit")
    #expect(!hit.contains { $0.contains("asPerson") })
    #expect(hit.contains { $0.contains("asCat: AsCat? { _fields.oneOpt(") })
  }

  @Test func fragmentsAreOptionalIfTheyMayNotApply() throws {
    let generation = try OperationGeneration(
      """
      query Q($a: Boolean!) {
        animal { ...A ...D ...W @include(if: $a) ... on Dog { ...D name } ... on Whale { ...W } }
      }
      fragment A on Animal { name }
      fragment D on Dog { name }
      fragment W on Whale { depth }
      """)
    #expect(
      generation.accessors("QQuery.Data.Animal").prefix(3) == [
        "a: A { one(1) }", "d: D? { oneOpt(2) }", "w: W? { oneOpt(3) }",
      ])
    #expect(
      generation.accessors("QQuery.Data.Animal.AsDog").contains("d: D { one(2) }"))
    #expect(
      generation.accessors("QQuery.Data.Animal.AsWhale").contains("w: W { one(3) }"))
  }

  @Test func aCaseWithOneConditionHasUnconditionalFields() throws {
    let generation = try OperationGeneration(
      """
      query Q($a: Boolean!, $b: Boolean!) {
        animal {
          ... on Dog @include(if: $a) { barks }
          ... on Cat @include(if: $a) { lives }
          ... on Cat @skip(if: $b) { size name }
        }
      }
      """)
    #expect(
      generation.accessors("QQuery.Data.Animal.AsDog") == ["barks: Bool { bool(1) }"])
    #expect(
      generation.accessors("QQuery.Data.Animal.AsCat") == [
        "lives: Int? { intOpt(1) }", "size: Int? { intOpt(2) }", "name: String? { stringOpt(3) }",
      ])
  }

  @Test func structsThatDifferInOptionalityOnlyAreTwo() throws {
    let generation = try OperationGeneration(
      """
      query Q($a: Boolean!) {
        first: person(by: { id: "1" }) { garden { row } favorites { name } }
        second: person(by: { id: "1" }) { garden { row } favorites @include(if: $a) { name } }
      }
      """)
    #expect(generation.accessors("QQuery.Data.First").last?.contains(": [Favorite?] {") == true)
    #expect(generation.accessors("QQuery.Data.Second").last?.contains(": [Favorite?]? {") == true)
  }

  @Test func aFragmentMayBeDeferredInSomePlacesOnly() throws {
    let generation = try OperationGeneration(
      """
      query Q($now: Boolean!) {
        animal { ...A @include(if: $now) ...A @defer }
        rest: animals { ...A ...A @defer }
      }
      fragment A on Animal { name }
      """)
    #expect(
      generation.accessors("QQuery.Data.Animal") == [
        "a: A? { oneOpt(1) }", "aDelivery: GraphQL.Delivery { delivery(1) }",
      ])
    #expect(generation.accessors("QQuery.Data.Rest") == ["a: A { one(1) }"])
  }

  /// The field is never null in the narrower type.
  @Test func aFieldThatIsNeverNullThrowsNothing() throws {
    let generation = try OperationGeneration(
      "query Q { animal { size @catch ... on Pet { owner @catch { name } } } }")
    let size = generation.accessors("QQuery.Data.Animal").first
    #expect(size?.contains("get throws(GraphQL.ResponseError)") == true)
  }

  @Test func deferredPartsAreOptional() throws {
    let generation = try OperationGeneration(
      """
      query Q {
        animal {
          ... @defer { size }
          ... @defer { colors }
          ... on Whale @defer(label: "deep sea") { depth }
          ...A @defer
        }
      }
      fragment A on Animal { name }
      """)
    #expect(
      generation.accessors("QQuery.Data.Animal") == [
        "deferred: Deferred? { oneOpt(1) }", "deferredDelivery: GraphQL.Delivery { delivery(1) }",
        "deferred2: Deferred2? { oneOpt(2) }",
        "deferred2Delivery: GraphQL.Delivery { delivery(2) }",
        "deferredDeepSea: DeferredDeepSea? { oneOpt(3) }",
        #"deferredDeepSeaDelivery: GraphQL.Delivery { delivery(3, "deep sea") }"#,
        "a: A? { oneOpt(4) }", "aDelivery: GraphQL.Delivery { delivery(4) }",
      ])
    #expect(
      generation.accessors("QQuery.Data.Animal.DeferredDeepSea") == [
        "depth: Double { double(0) }"
      ])
  }

  @Test func listsKeepTheirNullability() throws {
    #expect(
      try accessors(
        "luckyNumbers garden { plants } favorites { name } pets { nodes { name } edges { cursor } }"
      )
        == [
          "luckyNumbers: [Int] { value(0) }", "garden: [[Garden]]? { lists(1, of: Garden.self) }",
          "favorites: [Favorite?] { lists(2, of: Favorite.self) }", "pets: Pets { one(3) }",
        ])
    #expect(
      try accessors("pets { nodes { name } edges { cursor } }", "Person.Pets") == [
        "nodes: [Node] { list(0) }", "edges: [Edge?]? { lists(1, of: Edge.self) }",
      ])
    #expect(
      try accessors("garden @include(if: $a) { plants } luckyNumbers @skip(if: $a)") == [
        "garden: [[Garden]]? { lists(0, of: Garden.self) }", "luckyNumbers: [Int]? { valueOpt(1) }",
      ])
    #expect(
      try accessors("pets { nodes @include(if: $a) { name } }", "Person.Pets") == [
        "nodes: [Node]? { listOpt(0) }"
      ])
  }
}
