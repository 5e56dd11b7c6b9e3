import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Fragments that are added for the keys of the objects of an interface or a union without a key.
@Suite struct KeyFragmentTests {
  /// `Hit` has objects with `Node`, and two others with a key.
  private static let sdl = """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    type Query { hits: [Hit!], t: T, many: Many, owned: Owned }
    interface Node { id: ID! }
    interface Named { name: String }
    union Hit = A | B | Part | Tag
    type A implements Node & Named { id: ID!, name: String, price: Int }
    type B implements Node { id: ID!, name: String }
    type Part implements Named { name: String }
    type Tag { code: ID!, name: String, id: String }
    interface Kid { name: String, kids: [Kid], other: String }
    type T implements Kid & Node { id: ID!, name: String, kids: [Kid], other: String }
    union Many = C1 | C2 | C3 | C4 | C5 | Part
    type C1 { id: ID! } type C2 { id: ID! } type C3 { id: ID! } type C4 { id: ID! } type C5 { id: ID! }
    interface Owned { id: ID!, owner: String }
    type House implements Owned { id: ID!, owner: String }
    type Boat implements Owned { id: ID!, owner: String, code: ID! }
    """

  private static let configuration = Configuration(
    namespace: "API",
    types: [
      "Tag": Located(TypePolicy(key: ["code"])), "Boat": Located(TypePolicy(key: ["code"])),
    ])

  private func generation(_ document: String) throws -> OperationGeneration {
    try OperationGeneration(document, configuration: Self.configuration, sdl: Self.sdl)
  }

  private func sent(_ document: String) throws -> String {
    let generation = try generation(document)
    #expect(generation.errors.isEmpty)
    return try #require(generation.output.operations.first).text
  }

  private static let fragments = "fragment _Node_id on Node{id}fragment _Tag_code on Tag{code}"

  @Test func objectsOfAUnionGetTheirKeysWithTheFewestFragments() throws {
    #expect(
      try sent("query Q { hits { ... on Named { name } } }")
        == "query Q{hits{__typename ...on Named{name}..._Node_id ..._Tag_code}}" + Self.fragments)
    let generation = try generation("query Q { hits { ... on Named { name } } }")
    #expect(
      generation.findings == [
        "a.graphql:1:11: note: AddedKey", "a.graphql:1:11: note: AddedKey",
      ])
    #expect(
      generation.output.diagnostics.map(\.message) == [
        "The key \"id\" of \"Node\" is added here.", "The key \"code\" of \"Tag\" is added here.",
      ])
    #expect(
      generation.accessors("QQuery.Data.Hit") == ["asNamed: AsNamed? { oneOpt(1) }"])
  }

  /// Two selections of one list are stored together.
  @Test func objectsOfAnInterfaceGetTheirKeys() throws {
    #expect(
      try sent("query Q { a: t { kids { name } } b: t { kids { ... on T { id other } } } }")
        == "query Q{a:t{kids{__typename name ..._T_id}id}b:t{kids{__typename ...on T{id other}}id}}"
        + "fragment _T_id on T{id}")
    // An interface with the field of the key, of which one object has another key.
    #expect(
      try sent("query Q { owned { owner ... on Boat { code } } }")
        == "query Q{owned{__typename owner ...on Boat{code}..._House_id}}"
        + "fragment _House_id on House{id}")
  }

  /// An object is stored when it arrives, with or without what a directive leaves out.
  @Test(arguments: ["@defer(label:\"q\")", "@include(if:$a)", "@skip(if:$a)"])
  func keysAreOutsideOfWhatMayBeMissing(directive: String) throws {
    let isDeferred = directive.hasPrefix("@defer")
    let head = isDeferred ? "query Q" : "query Q($a:Boolean!)"
    #expect(
      try sent("\(head) { hits { ... on A \(directive) { price } } }")
        == "\(head){hits{__typename ...on A\(directive){price}..._Node_id ..._Tag_code}}"
        + Self.fragments)
    #expect(
      try sent(
        "\(head) { hits { ...F \(directive) } } fragment F on Hit { ... on A { id price } ... on Part { name } }"
      )
        == "\(head){hits{__typename ...F\(directive)..._Node_id ..._Tag_code}}"
        + "fragment F on Hit{__typename ...on A{id price}...on Part{name}..._B_id ..._Tag_code}"
        + "fragment _B_id on B{id}fragment _Tag_code on Tag{code}fragment _Node_id on Node{id}")
  }

  /// The fragment has the keys of its own objects.
  @Test func keysAreAddedOnceForASpreadThatCertainlyApplies() throws {
    #expect(
      try sent("query Q { hits { ...F } } fragment F on Hit { ... on A { price } }")
        == "query Q{hits{__typename ...F}}"
        + "fragment F on Hit{__typename ...on A{price id}..._B_id ..._Tag_code}"
        + "fragment _B_id on B{id}fragment _Tag_code on Tag{code}")
  }

  @Test func addedFragmentsDoNotChangeWhatStructsHave() throws {
    let generation = try generation(
      """
      query Q($a: Boolean!) {
        hits { ... on A @include(if: $a) { price } ... on B { name } ...F @defer }
      }
      fragment F on Hit { ... on A { price } }
      """)
    #expect(
      generation.accessors("QQuery.Data.Hit") == [
        "asA: AsA? { oneOpt(1) }", "asB: AsB? { oneOpt(2) }", "f: F? { oneOpt(3) }",
        "fDelivery: GraphQL.Delivery { delivery(3) }",
      ])
    #expect(
      generation.accessors("QQuery.Data.Hit.AsA") == [
        "price: Int? { intOpt(1) }", "f: F? { oneOpt(2) }",
        "fDelivery: GraphQL.Delivery { delivery(2) }",
      ])
    #expect(generation.body("QQuery.Data.Hit.Kind").contains("case a(AsA)"))
  }

  @Test func moreThanFourFragmentsAreNotAdded() throws {
    let generation = try generation("query Q {\n  many { ... on Part { name } }\n}")
    #expect(generation.findings == ["a.graphql:2:3: warning: OmittedKeys"])
    let warning = try #require(generation.output.diagnostics.first)
    #expect(
      warning.message.hasPrefix(
        "Objects of \"C1\", \"C2\", \"C3\", \"C4\" and 1 other type of \"Many\" are stored as a part"
      ))
    #expect(
      warning.suggestion == "Select the key of each type, as in `... on C1 { id }`.")
    #expect(
      try sent("query Q { many { ... on C1 { __typename } } }")
        == "query Q{many{__typename ...on C1{__typename id}..._C2_id ..._C3_id ..._C4_id ..._C5_id}}"
        + "fragment _C2_id on C2{id}fragment _C3_id on C3{id}fragment _C4_id on C4{id}"
        + "fragment _C5_id on C5{id}")
  }

  /// The service would reject two fields of one name, even of objects of two types.
  @Test func aKeyThatAnotherFieldHidesIsNotAdded() throws {
    let generation = try generation(
      "query Q { hits { ...F } }\nfragment F on Hit { ... on Tag { code id } }")
    #expect(
      Set(generation.findings) == ["a.graphql:2:39: warning: HiddenKey"])
    #expect(generation.errors.isEmpty)
    #expect(
      generation.output.operations.first?.text
        == "query Q{hits{__typename ...F}}fragment F on Hit{__typename ...on Tag{code id}}")
  }

  @Test func fragmentsCannotHaveTheNameOfOneThatIsAdded() throws {
    let generation = try generation(
      "query Q { hits { ..._B_id } }\nfragment _B_id on Named { name }")
    #expect(generation.findings.contains("a.graphql:2:10: error: ReservedFragmentName"))
    #expect(generation.output.files.isEmpty)
  }

  /// Added to what is sent, and not to what a document declares.
  @Test func interfacesOfAddedFragmentsAreKeptByPruning() throws {
    let generation = try Generation(
      Self.sdl, configuration: Self.configuration, usedBy: "",
      document: "query Q { hits { __typename } }")
    #expect(generation.keptTypes.contains("Node"))
  }
}
