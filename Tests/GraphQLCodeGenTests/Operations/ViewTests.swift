import GraphQLSchema
import Testing

@testable import GraphQLCodeGen

/// Which entries a view has, and in which slots: the contract between generator and runtime.
@Suite struct ViewTests {
  /// The dump of a query's view. Nothing is added to the document.
  private func dump(_ text: String) throws -> String {
    let schema = try OperationGeneration.zoo.get()
    let document = try Document(parsing: Source(name: "a.graphql", text: text))
    #expect(
      document.validate(against: schema).isEmpty, "the document of a test is valid")
    var builder = ViewBuilder(
      schema: schema,
      fragmentTypes: Dictionary(
        uniqueKeysWithValues: document.fragments.map { ($0.name, $0.typeCondition.name) }))
    let operation = try #require(document.operations.first)
    let root = try #require(schema.rootType(for: operation.operationType))
    let view = try builder.view(of: SelectionNode(operation.selectionSet), on: .object(root))
    return String(decoding: ViewChecksum.dump(view), as: UTF8.self)
  }

  @Test func slotsAreInTheOrderOfTheDocument() throws {
    #expect(
      try dump("{ animal { name size colors } people { id } }")
        == "animal{name,size,colors,}people{id,}")
  }

  @Test func anAliasIsTheKey() throws {
    #expect(
      try dump(#"{ big: animal(name: "a") { title: name } small: animal { name } }"#)
        == "big{title,}small{name,}")
  }

  @Test func fieldsWithOneKeyAreMerged() throws {
    #expect(
      try dump("{ animal { name friend { name } } animal { size friend { size name } } }")
        == "animal{name,friend{name,size,}size,}")
  }

  @Test func certainTypeConditionsAreFlattened() throws {
    #expect(
      try dump("{ people { ... on Person { id } ... on Node { id name: id } ... { kind } } }")
        == "people{id,name,kind,}")
  }

  @Test func conditionsAreFlattenedWithTheirDirectives() throws {
    #expect(
      try dump(
        "query($a: Boolean!) { animal { ... @include(if: $a) { name } ... on Animal @skip(if: $a)"
          + " { size } } }") == "animal{name,size,}")
  }

  @Test func aMemberOfAUnionIsCertainlyOfTheUnion() throws {
    #expect(
      try dump("{ search(text: \"\") { ... on Dog { ... on Hit { __typename } barks } } }")
        == "search{on Dog{__typename,barks,}}")
  }

  @Test func aCaseRepeatsTheFieldsAroundIt() throws {
    #expect(
      try dump("{ animal { name ... on Dog { barks name } size } }")
        == "animal{name,on Dog{name,barks,size,}size,}")
  }

  @Test func casesOfOneTypeAreOneEntry() throws {
    #expect(
      try dump("{ animal { ... on Dog { barks } name ... on Dog { size } } }")
        == "animal{on Dog{barks,name,size,}name,}")
  }

  @Test func casesDoNotContainEachOther() throws {
    #expect(
      try dump("{ search(text: \"\") { ... on Dog { barks } ... on Cat { lives } } }")
        == "search{on Dog{barks,}on Cat{lives,}}")
  }

  @Test func narrowingWithinNarrowing() throws {
    // In `asPet`, `asDog` is a case of the fragment only; in the outer `asDog`, everything applies.
    #expect(
      try dump(
        """
        { animal { name
          ... on Pet { owner { id } ... on Dog { barks } }
          ... on Dog { size } } }
        """)
        == "animal{name,on Pet{name,owner{id,}on Dog{name,owner{id,}barks,size,}}"
        + "on Dog{name,owner{id,}barks,size,}}")
  }

  @Test func anInterfaceInACaseIsFlattenedWhereTheTypeDeclaresIt() throws {
    #expect(
      try dump("{ animal { ... on Dog { ... on Pet { owner { id } } ... on Node { id } } } }")
        == "animal{on Dog{owner{id,}id,}}")
  }

  @Test func fieldsOfACaseAreMergedWithThoseAroundIt() throws {
    #expect(
      try dump("{ animal { friend { name } ... on Dog { friend { barks } } } }")
        == "animal{friend{name,}on Dog{friend{name,barks,}}}")
  }

  @Test func aFieldOfUnrelatedInterfacesHasBothTypes() throws {
    // `size` is a field of animals only, and `owner` one of pets only.
    #expect(
      try dump(
        "{ animal { friend { size ... on Animal { name } } ... on Pet { friend { owner { id }"
          + " ... on Animal { colors } } } } }")
        == "animal{friend{size,name,}on Pet{friend{size,name,owner{id,}colors,}}}")
  }

  @Test func fragmentsAreNeverFlattened() throws {
    #expect(
      try dump(
        """
        { people { id ...P ...N ...P } }
        fragment P on Person { name ...N }
        fragment N on Node { id }
        """) == "people{id,...P;...N;}")
  }

  @Test func fragmentsOfOtherTypesAreSlotsToo() throws {
    #expect(
      try dump(
        """
        { animal { ...D ... on Dog { ...D barks } } }
        fragment D on Dog { name }
        """) == "animal{...D;on Dog{...D;barks,}}")
  }

  @Test func deferredFragmentsAreViewsOfTheirOwn() throws {
    #expect(
      try dump(
        """
        { animal { name ... @defer { size } ... on Dog @defer(label: "d") { barks ... on Pet { owner
          { id } } } ... on Cat { lives ... @defer { colors } } ...S @defer } }
        fragment S on Animal { size }
        """)
        == "animal{name,@{size,}@{barks,owner{id,}}on Cat{name,lives,...S;@{colors,}}...S;}")
  }

  @Test func listsOfListsAreFieldsLikeOthers() throws {
    #expect(
      try dump("{ people { garden { row } garden { column } } }")
        == "people{garden{row,column,}}")
  }

  @Test func theChecksumIsThatOfFNV1a() {
    // Known values of the function.
    #expect(ViewChecksum.hash([]) == 0x811C_9DC5)
    #expect(ViewChecksum.hash([Array("a".utf8)]) == 0xE40C_292C)
    #expect(ViewChecksum.hash([Array("foo".utf8), Array("bar".utf8)]) == 0xBF9C_F968)
  }

  @Test func theChecksumCoversAllFragmentsInTheOrderOfTheText() throws {
    let generation = try OperationGeneration(
      """
      query Q { people { ...B ...A } }
      fragment A on Person { name }
      fragment B on Person { id ...A }
      """)
    // The key is added to the fragment that lacks it.
    let dump = "people{...B;...A;}...B{id,...A;}...A{name,id,}"
    let digits = String(ViewChecksum.hash([Array(dump.utf8)]), radix: 16, uppercase: true)
    let shape = String(repeating: "0", count: 8 - digits.count) + digits
    #expect(generation.text.contains("shape: 0x\(shape))"))
    #expect(generation.findings == ["a.graphql:2:10: note: AddedKey"])
  }

  @Test func tooManyViewsAreAnError() throws {
    let sdl = """
      interface Item { next: Item }
      type Leaf implements Item { next: Item }
      type Query { item: Item }
      """
    var text = "__typename"
    for _ in 0..<16 { text = "next { \(text) ... on Leaf { __typename } }" }
    let generation = try OperationGeneration("query Q { item { \(text) } }", sdl: sdl)
    #expect(generation.findings == ["a.graphql:1:1: error: TooManyStructs"])
    #expect(generation.output.files.isEmpty)
  }
}
